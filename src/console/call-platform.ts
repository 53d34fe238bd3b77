import type { Called } from "../contract/control/called.ts";
import { type PlatformCall, refusalOf } from "../rows/first-payout.ts";
import { type Control, Refused } from "./control.ts";

/** Makes one call of the platform. @throws Refused with the platform's own words */
export const callPlatform = async <Body>(control: Control, input: PlatformCall): Promise<Body> => {
  const called = await control.send<Called>("POST", "/call", input);
  const refusal = refusalOf(called);
  if (refusal !== undefined) throw new Refused(called.status ?? 0, { error: refusal });
  return (called.text === "" ? undefined : JSON.parse(called.text)) as Body;
};

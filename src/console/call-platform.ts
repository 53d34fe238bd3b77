import type { Called, CallInput } from "../contract/control/called.ts";
import { refusalOf } from "../rows/first-payout.ts";
import { type Control, Refused } from "./control.ts";

/** One call of the platform: an operation by its name, or a method and a path. */
export interface PlatformCall extends Omit<CallInput, "body"> {
  body?: object;
}

/** A reply of the platform, or its refusal. */
export interface Answer<Body> {
  status: number;
  /** Undefined when the call was refused, and where the reply has no body. */
  body: Body | undefined;
  refused?: Refused;
  /** Details of the refusal. */
  details?: Readonly<Record<string, unknown>>;
}

/** Makes one call of the platform with the world's own credentials. */
export const answerOf = async <Body>(
  control: Control,
  input: PlatformCall,
): Promise<Answer<Body>> => {
  const called = await control.send<Called>("POST", "/call", input);
  const { status = 0, text } = called;
  const refusal = refusalOf(called);
  const body = text === "" ? undefined : JSON.parse(text);
  if (refusal === undefined) return { status, body };
  const refused = new Refused(status, { error: refusal });
  return { status, body: undefined, refused, details: body?.details };
};

/** Makes one call of the platform. @throws Refused with the platform's own words */
export const callPlatform = async <Body>(control: Control, input: PlatformCall): Promise<Body> => {
  const { body, refused } = await answerOf<Body>(control, input);
  if (refused) throw refused;
  return body as Body;
};

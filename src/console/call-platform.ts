import type { Called, CallInput } from "../contract/control/called.ts";
import { type Control, Refused } from "./control.ts";

/** A refusal of the platform. */
interface Refusal {
  code: string;
  message: string;
  details?: Readonly<Record<string, unknown>>;
}

/** An answer of the platform: what it gives, or its refusal. */
export type Answer<Body> =
  | { status: number; body: Body; refusal?: undefined }
  | { status: number; body?: undefined; refusal: Refusal };

/** Makes one call of the platform with the world's own credentials. @throws Refused when it was lost */
export const answerOf = async <Body>(control: Control, input: CallInput): Promise<Answer<Body>> => {
  const { status = 0, text, lost } = await control.send<Called>("POST", "/call", input);
  if (lost !== undefined)
    throw new Refused(0, { error: { code: "LOST", message: lost, next: [] } });
  const body = text === "" ? undefined : JSON.parse(text);
  if (status < 400) return { status, body };
  const { code = String(status), message = text, details } = body ?? {};
  return { status, refusal: { code, message, details } };
};

/** Throws a refusal as the page says it: with the platform's own words. */
export const throwRefusal = (status: number, { code, message }: Refusal): never => {
  throw new Refused(status, { error: { code, message: `${code}: ${message}`, next: [] } });
};

/** Makes one call of the platform. @throws Refused with the platform's own words */
export const callPlatform = async <Body>(control: Control, input: CallInput): Promise<Body> => {
  const { status, body, refusal } = await answerOf<Body>(control, input);
  return refusal ? throwRefusal(status, refusal) : body;
};

import { valueAt } from "../contract/core/shown-value.ts";
import type { ScriptPath } from "./script-problem.ts";

/** A call of a simulator, as a script makes it. */
export interface ScriptCall {
  method: string;
  /** Below the API's base; with `/_sim` in front below the control surface's. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array | undefined;
}

type Body = ReturnType<typeof JSON.parse>;

/** An answer; its body is undefined when it is not JSON. */
export interface ScriptAnswer {
  status: number;
  body: Body;
}

/**
 * Makes a call of either surface of a world, signed in unless it brings credentials; `lost` when
 * the connection ended before an answer.
 */
export type Send = (call: ScriptCall) => Promise<ScriptAnswer | "lost">;

const CONTROL = "/_sim";

/** The path of a call below the control surface; undefined for a call of the platform. */
export const controlPath = ({ path }: Pick<ScriptCall, "path">): string | undefined =>
  path.startsWith(`${CONTROL}/`) ? path.slice(CONTROL.length) : undefined;

/** A call with a JSON body. */
export const jsonCall = (method: string, path: string, body?: object): ScriptCall => ({
  method,
  path,
  headers: body ? { "content-type": "application/json" } : {},
  body: body && Buffer.from(JSON.stringify(body)),
});

/** The two surfaces write their errors in two ways. */
const errorOf = ({ body }: ScriptAnswer) => body?.error ?? body;

/** The platform's messages end with what its caller should do next, which is not this reader. */
const sentenceOf = ({ body }: ScriptAnswer) => {
  const message: unknown = errorOf({ status: 0, body })?.message;
  if (typeof message !== "string") return undefined;
  const end = body.error ? -1 : message.lastIndexOf(". ");
  return end < 0 ? message : message.slice(0, end);
};

/** An error as a sentence tells it: status, code, and the words that came with it. */
export const errorText = (answer: ScriptAnswer) => {
  const { code, reason } = errorOf(answer) ?? {};
  const words = [answer.status, code, reason].filter((word) => word !== undefined).join(" ");
  const sentence = sentenceOf(answer);
  return sentence === undefined ? words : `${words}: ${sentence}`;
};

/** The member an error names, or as much of its path as what was sent has. */
export const blamedMember = (answer: ScriptAnswer, sent: unknown): ScriptPath => {
  const field = errorOf(answer)?.details?.field;
  if (typeof field !== "string") return [];
  let path = field.split(".").map((name) => (/^[0-9]+$/.test(name) ? Number(name) : name));
  while (path.length > 0 && valueAt(sent, path) === undefined) path = path.slice(0, -1);
  return path;
};

/** The id of an answer, or of the one thing it lists. */
export const idOf = ({ body }: ScriptAnswer): string | undefined => {
  const [only, ...others] = Array.isArray(body?.data) ? body.data : [];
  const id = body?.id ?? (others.length === 0 ? only?.id : undefined);
  return typeof id === "string" ? id : undefined;
};

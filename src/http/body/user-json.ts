import { isTooDeep, MAX_NESTING } from "../../contract/core/nesting.ts";
import { jsonProblem } from "./json-problem.ts";

/** Text of a user that cannot be read as JSON; the message says why, in our words. */
export class NotJson extends Error {
  override readonly name = "NotJson";
}

/**
 * The value in JSON of a user.
 * @throws NotJson: the words of the parser differ between versions of Node.js
 */
export const userJson = (text: string): unknown => {
  if (isTooDeep(text)) throw new NotJson(`it is nested over ${MAX_NESTING} levels`);
  try {
    return JSON.parse(text);
  } catch {
    throw new NotJson(`it is not JSON: ${jsonProblem(text)}`);
  }
};

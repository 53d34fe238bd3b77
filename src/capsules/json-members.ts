import { JSON_TOKENS } from "../http/log/redaction.ts";

/** A string or number in JSON text, and the name of the member that holds it. */
export interface Scalar {
  name: string;
  /** As it is written. */
  token: string;
}

const textOf = (token: string): string => {
  try {
    return JSON.parse(token);
  } catch {
    return token.replace(/^"|"$/g, "");
  }
};

interface Level {
  isList: boolean;
  /** Name of the member whose value comes; empty where a name comes. */
  name: string;
}

/**
 * JSON text with some of its strings and numbers written again, and each other character as it was.
 * The text may be cut off.
 * @param written the new token, or nothing to leave it
 */
export const rewriteScalars = (
  text: string,
  written: (scalar: Scalar) => string | undefined,
): string => {
  const levels: Level[] = [{ isList: false, name: "" }];
  let last = "";
  const rewritten: string[] = [];
  for (const [token] of text.matchAll(JSON_TOKENS)) {
    const level = levels.at(-1) as Level;
    let shown = token;
    if (token === "{") levels.push({ isList: false, name: "" });
    else if (token === "[") levels.push({ isList: true, name: level.name });
    else if (token === "}" || token === "]") {
      if (levels.length > 1) levels.pop();
    } else if (token === ":") level.name = textOf(last);
    else if (token === ",") level.name = level.isList ? level.name : "";
    else if (level.name !== "" && token.trim() !== "") {
      const bare = token.trim();
      shown = token.replace(bare, () => written({ name: level.name, token: bare }) ?? bare);
    } else if (token.startsWith('"')) last = token;
    rewritten.push(shown);
  }
  return rewritten.join("");
};

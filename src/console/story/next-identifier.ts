/** An ending that stands in no outcome table. */
const PLAIN_ENDING = "999";

const ENDING_LENGTH = 3;

/**
 * The identifier that has a payment end as a row says: the same one with another ending, or another
 * name at the same domain.
 * @param match of the row: `003`, `$success.usd` or `otherwise`
 */
export const nextIdentifier = (value: string, match: string): string | undefined => {
  const at = value.indexOf("@");
  const [local, rest] = at < 0 ? [value, ""] : [value.slice(0, at), value.slice(at)];
  if (match.startsWith("$")) return rest === "" ? undefined : match + rest;
  const ending = match === "otherwise" ? PLAIN_ENDING : match;
  const isEnding = /^[0-9]{3}$/.test(ending) && !local.startsWith("$");
  return isEnding ? local.slice(0, -ENDING_LENGTH) + ending + rest : undefined;
};

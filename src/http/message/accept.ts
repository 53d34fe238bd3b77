/** The weight of a media type in an `Accept` header (RFC 9110, section 12.5.1); 0 if unnamed. */
const weightOf = (accept: string, type: string): number => {
  const [entry] = accept
    .split(",")
    .map((part) => part.split(";").map((word) => word.trim().toLowerCase()))
    .filter(([name]) => name === type);
  if (!entry) return 0;
  const weight = entry.find((word) => word.startsWith("q="))?.slice("q=".length);
  return weight === undefined ? 1 : Number(weight) || 0;
};

/**
 * Tells a client that shows pages, as browsers do: it names HTML and does not prefer JSON.
 * curl and fetch, which take anything, are none (spec/errors.md#origin).
 */
export const wantsPages = (accept: string): boolean => {
  const html = weightOf(accept, "text/html");
  return html > 0 && html >= weightOf(accept, "application/json");
};

const LONGEST = 60;

/** A value of a document inside a sentence: short, and with its type visible. */
export const foundValue = (value: unknown): string => {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  const text = JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
};

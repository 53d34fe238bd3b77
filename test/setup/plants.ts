/** Characters that a terminal obeys or that mislead a reader; each alone and in a row. */
export const PLANTS: readonly string[] = [
  "\u001b[31mPLANTED",
  "\u001b]0;PLANTED\u0007",
  "\u009b2JPLANTED",
  "\u0000",
  "\u0007",
  "\b",
  "\n✓ PLANTED",
  "\r✓ PLANTED",
  "\u007f",
  "\u0085",
  "\u00ad",
  "\u061c",
  "\u180e",
  "\u200b",
  "\u200c",
  "\u200d",
  "\u200e",
  "\u200f",
  "\u2028",
  "\u2029",
  "\u202a",
  "\u202b",
  "\u202c",
  "\u202d",
  "\u202e",
  "\u2060",
  "\u2066",
  "\u2067",
  "\u2068",
  "\u2069",
  "\u3164",
  "\ufeff",
  "\ufffa",
  "\u{e0041}",
];

/** All of them in one text. */
export const PLANT = `plant${PLANTS.map((one) => `a${one}`).join("")}z`;

/** The same for texts in which control characters are refused. */
export const UNSEEN_PLANT = PLANT.replace(/\p{Cc}/gu, "");

/** The same for texts of one line. */
export const ONE_LINE_PLANT = UNSEEN_PLANT.replace(/[\p{Zl}\p{Zp}]/gu, "");

/** Color codes as chalk writes them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: this is what colors are made of
const OWN_COLORS = /\u001b\[(?:1|2|22|3[1-69])m(?!PLANTED)/g;

/** Characters in printed text that should have been escaped. */
export const cameThrough = (printed: string): string[] => {
  const text = printed.replace(OWN_COLORS, "");
  const unseen = text.match(
    /[^\P{Cc}\n]|[\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\u3164\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]/gu,
  );
  const spoofed = text.match(/^✓ PLANTED/gm);
  return [...(unseen ?? []), ...(spoofed ?? [])].map((one) => JSON.stringify(one));
};

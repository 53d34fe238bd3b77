/** Names of well-known patterns, by the text of the pattern. */
const OWN_WORDS: Readonly<Record<string, string>> = {
  "/^AE[0-9]{21}$/": "an IBAN of 23 characters: AE and 21 digits",
  "/^DK[0-9]{16}$/": "an IBAN of 18 characters: DK and 16 digits",
  "/^EG[0-9]{27}$/": "an IBAN of 29 characters: EG and 27 digits",
  "/^PK[0-9]{2}[A-Z]{4}[0-9]{16}$/":
    "an IBAN of 24 characters: PK, 2 digits, 4 capital letters and 16 digits",
  "/^[A-Z]{2}[0-9]{2}[A-Za-z0-9]{11,30}$/":
    "an IBAN without spaces: 2 capital letters, 2 digits and 11 to 30 letters and digits",
  "/^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/":
    "a SWIFT code of 8 or 11 characters: 6 capital letters, then 2 or 5 capital letters and digits",
  "/^[a-zA-Z0-9.\\-_]+@[a-zA-Z0-9]+$/":
    "a UPI address like lena@bank: letters, digits and . - _ in front of @, letters and digits after",
  "/^[^@\\s]+@[^@\\s]+$/": "a Lightning address like lena@example.com",
  "/^[lL][nN]/": "a Lightning invoice, which begins with ln",
  "/^(spark1|sparkrt1)/": "a Spark address, which begins with spark1 or sparkrt1",
};

/** Nouns for character classes: singular and plural. */
const CLASSES: Readonly<Record<string, readonly [one: string, many: string]>> = {
  "\\d": ["digit", "digits"],
  "[0-9]": ["digit", "digits"],
  "[A-Z]": ["capital letter", "capital letters"],
  "[a-z]": ["lowercase letter", "lowercase letters"],
  "[A-Za-z]": ["letter", "letters"],
  "[a-zA-Z]": ["letter", "letters"],
  "[A-Z0-9]": ["capital letter or digit", "capital letters and digits"],
  "[A-Za-z0-9]": ["letter or digit", "letters and digits"],
  "[a-zA-Z0-9]": ["letter or digit", "letters and digits"],
  "[0-9a-f]": ["hex digit in lower case", "hex digits in lower case"],
  "[0-9a-fA-F]": ["hex digit", "hex digits"],
};

const PART = /(\\d|\[[^\]]+\])(?:\{(\d+)(?:(,)(\d*))?\}|([+]))?|((?:[A-Za-z0-9:@#$_-]|\\[+.$/])+)/y;

const countOf = (least: string, range: string | undefined, most: string | undefined) => {
  if (range === undefined) return least;
  return most ? `${least} to ${most}` : `at least ${least}`;
};

/** Words for one part of a pattern; nothing for a class without words. */
const partWords = (match: RegExpExecArray) => {
  const [, characters, least, range, most, plus, literal] = match;
  if (literal !== undefined) return literal.replaceAll("\\", "");
  const names = CLASSES[characters ?? ""];
  if (!names) return undefined;
  const count = plus ? "at least 1" : countOf(least ?? "1", range, most);
  return `${count} ${/\b1$/.test(count) ? names[0] : names[1]}`;
};

/** Words for a pattern of plain characters and counted classes, or nothing. */
const rowWords = (pattern: string): string | undefined => {
  const row = /^\/\^(.+)\$\/$/.exec(pattern)?.[1];
  if (row === undefined) return undefined;
  const words: string[] = [];
  for (let at = 0; at < row.length; at = PART.lastIndex) {
    PART.lastIndex = at;
    const match = PART.exec(row);
    const part = match ? partWords(match) : undefined;
    if (part === undefined) return undefined;
    words.push(part);
  }
  const last = words.pop() ?? "";
  return words.length > 0 ? `${words.join(", ")} and ${last}` : last;
};

/**
 * Plain words for a pattern, such as "18 digits".
 * @param pattern as text with its slashes
 * @returns nothing for a pattern that is neither well-known nor made of counted classes
 */
export const patternWords = (pattern: string): string | undefined =>
  Object.hasOwn(OWN_WORDS, pattern) ? OWN_WORDS[pattern] : rowWords(pattern);

/** The well-known patterns, as text. */
export const NAMED_PATTERNS: readonly string[] = Object.keys(OWN_WORDS);

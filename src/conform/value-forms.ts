/**
 * Forms of values that two services draw for themselves, the first that fits counts
 * (spec/conform.md#lining-up).
 */
interface ValueForm {
  name: string;
  pattern: RegExp;
  /** The part of a value that must be the same on both sides. */
  keeps(text: string): string;
  /** One value of ours stands for one of theirs, wherever it occurs. */
  isBound: boolean;
}

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const INSTANT = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?(?:Z|[+-]\\d\\d:\\d\\d)";

const whole = (source: string) => new RegExp(`^(?:${source})$`);
const nothing = () => "";

export const VALUE_FORMS: readonly ValueForm[] = [
  {
    name: "id",
    pattern: whole(`[A-Za-z]+:${UUID}`),
    keeps: (text) => text.slice(0, text.indexOf(":")),
    isBound: true,
  },
  { name: "uuid", pattern: whole(UUID), keeps: nothing, isBound: true },
  {
    name: "instant",
    pattern: whole(INSTANT),
    keeps: (text) => text.replace(/\d/g, "0"),
    isBound: false,
  },
  {
    name: "agent code",
    pattern: /^[A-Z]+-AGENT-[A-Z0-9]{4}-[A-Z0-9]{4}$/,
    keeps: (text) => text.slice(0, text.indexOf("-")),
    isBound: true,
  },
  {
    name: "hex",
    pattern: /^(?:0x)?(?=[0-9a-f]*[a-f])[0-9a-f]{8,}$/,
    keeps: (text) => `${text.length}`,
    isBound: true,
  },
  {
    name: "opaque",
    // A constant has no digit, or no small letter.
    pattern: /^(?=.*\d)(?=.*[a-z])[A-Za-z0-9+/_=.~-]{16,}$/,
    keeps: nothing,
    isBound: true,
  },
];

/** Members whose short values are drawn, with their form, and sentences for people. */
const DRAWN_MEMBERS: Readonly<Record<string, RegExp>> = {
  last4: /^\d{4}$/,
  reference: /^\S{4,64}$/,
  platformCardId: /^[0-9a-f]{16}$/,
  code: /^\d{4,12}$/,
  nextCursor: /^\S+$/,
  instructionsNotes: /\S/,
};

const DRAWN_PLACE = /\/(?:fundingP|p)aymentInstructions\//;

const maskOf = (text: string) => text.replace(/[0-9]/g, "0").replace(/[A-Z]/g, "A");

/**
 * Tells whether two texts at a place are drawn by their services: short values, and the numbers of
 * accounts to pay into.
 * @param path JSON Pointer of the place
 */
export const areDrawn = (path: string, [ours, theirs]: readonly [string, string]): boolean => {
  const form = DRAWN_MEMBERS[path.slice(path.lastIndexOf("/") + 1)];
  if (form?.test(ours) && form.test(theirs)) return true;
  return DRAWN_PLACE.test(path) && /\d{4}/.test(ours) && maskOf(ours) === maskOf(theirs);
};

/** Values inside a longer text: a payload to sign, a URL, a sentence. */
export const EMBEDDED = new RegExp(
  `[A-Za-z]+:${UUID}|${UUID}|${INSTANT}|(?<![A-Za-z0-9])(?:0x)?[0-9a-f]{8,}(?![A-Za-z0-9])|(?<!\\d)\\d{13}(?!\\d)`,
  "g",
);

/** The form of a value; nothing for one that both services must have alike. */
export const formOf = (text: string): ValueForm | undefined =>
  VALUE_FORMS.find(({ pattern }) => pattern.test(text));

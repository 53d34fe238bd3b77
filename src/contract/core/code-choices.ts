/** Ways to make one-time codes, beside codes of the caller's choice (spec/inbox.md#code-choice). */
export const CODE_WAYS = ["fixed", "random"] as const;

/** Length of a code of the caller's choice. */
export const CHOSEN_CODE = { min: 4, max: 12 } as const;

const CHOSEN = /^[0-9]{4,12}$/;

/** The possible choices of codes, in words. */
export const CODE_CHOICES_WORDS = `fixed, random or ${CHOSEN_CODE.min} to ${CHOSEN_CODE.max} digits`;

/** Whether a text chooses one-time codes: a way to make them, or the code itself. */
export const isCodeChoice = (text: unknown): text is string =>
  typeof text === "string" && (CODE_WAYS.some((way) => way === text) || CHOSEN.test(text));

/** Whether a text is the setting of a world for such a choice; a random one has a salt. */
export const isCodeSetting = (text: string) =>
  text === "fixed" || CHOSEN.test(text) || /^random [0-9a-f]{32}$/.test(text);

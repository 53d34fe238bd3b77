/** Modes of a clock (spec/clock.md#modes). */
export const CLOCK_MODES = ["real", "manual", "auto"] as const;

export type ClockMode = (typeof CLOCK_MODES)[number];

/** Highest speed of a clock; a day then passes in less than a tenth of a second. */
export const MAX_SPEED = 1_000_000;

const SPEED = /^([0-9]+(?:\.[0-9]+)?)x$/;

/** A clock as it is written: `real`, `manual`, `auto`, or a speed like `60x`. */
export type ClockWord = ClockMode | `${number}x`;

/** Words for the form of a clock. */
export const CLOCK_FORM = "real, manual, auto or a speed like 60x";

/** The mode and speed that a word means, such as `60x`; nothing for any other word. */
export const clockOf = (word: string): { mode: ClockMode; speed?: number } | undefined => {
  const mode = CLOCK_MODES.find((one) => one === word);
  if (mode) return { mode };
  const speed = Number(SPEED.exec(word)?.[1] ?? 0);
  if (!(speed > 0 && speed <= MAX_SPEED)) return undefined;
  return speed === 1 ? { mode: "real" } : { mode: "real", speed };
};

/** The word of a mode and its speed: `60x`, `real`. */
export const wordOf = ({ mode, speed }: { mode: string; speed?: number | undefined }) =>
  speed === undefined ? mode : `${speed}x`;

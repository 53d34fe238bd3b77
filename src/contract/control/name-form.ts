/** Form of the names of worlds and snapshots (spec/worlds.md#names, spec/snapshots.md#names). */
export const NAME_PATTERN = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** Words for that form, as errors say it. */
export const NAME_WORDS =
  "1 to 64 lowercase letters, digits, dots, underscores and hyphens, the first a letter or digit";

/** Tells if a text can name a world or a snapshot. */
export const isName = (text: string) => NAME_PATTERN.test(text);

import * as z from "zod";

/** Form of the names of worlds and snapshots (spec/worlds.md#names). */
export const NAME_PATTERN = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** Words for that form, as errors say it. */
export const NAME_FORM =
  "1 to 64 small letters, digits, dots, underscores and hyphens, the first a letter or digit";

export const isName = (text: string) => NAME_PATTERN.test(text);

/** Name of a world or a snapshot. */
export const Name = z.lazy(() =>
  z.string().regex(NAME_PATTERN, `Expected ${NAME_FORM}`).meta({ id: "Name" }),
);

import * as z from "zod";
import { NAME_PATTERN, NAME_WORDS } from "./name-form.ts";

/** A name of a world or of a snapshot. */
export const Name = z.lazy(() =>
  z.string().regex(NAME_PATTERN, `Expected ${NAME_WORDS}`).meta({ id: "Name" }),
);

import * as z from "zod";
import { named } from "../core/named-shape.ts";

/** Vasp of a reply: an exchange that holds wallets (spec/later-accounts.md#directory-of-exchanges). */
export const Vasp = named("Vasp", () =>
  z.object({ vaspName: z.string(), url: z.url().optional() }),
);

export type Vasp = z.infer<typeof Vasp>;

/** A page of the directory, which is not counted. */
export const VaspPage = named("VaspPage", () =>
  z.object({
    data: z.array(Vasp),
    hasMore: z.boolean(),
    nextCursor: z.string().optional(),
  }),
);

export type VaspPage = z.infer<typeof VaspPage>;

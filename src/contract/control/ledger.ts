import * as z from "zod";
import { named } from "../core/named-shape.ts";
import { Instant } from "../core/scalars.ts";
import { Sums } from "./values.ts";

const account = { account: z.string(), currency: z.string(), amount: z.int() };

/** One posting; `amount` is in minor units. */
const Posting = named("Posting", () =>
  z.object({ id: z.string(), at: Instant, cause: z.string(), ...account }),
);

export type Posting = z.infer<typeof Posting>;

/** Reply of GET /_sim/ledger. */
export const Ledger = named("Ledger", () =>
  z.object({
    /** Sum of all balances by currency: zero, or the world is broken. */
    totals: Sums,
    balances: z.array(z.object(account)),
    postings: z.array(Posting),
    hasMore: z.boolean(),
    nextCursor: z.string().optional(),
  }),
);

export type Ledger = z.infer<typeof Ledger>;

import * as z from "zod";
import { PageQuery } from "../core/lists.ts";
import { named } from "../core/named-shape.ts";
import { Instant, InstantInput } from "../core/scalars.ts";
import { Sums } from "./values.ts";

const account = { account: z.string(), currency: z.string(), amount: z.int() };

/** One posting; `amount` is in minor units. */
const Posting = named("Posting", () =>
  z.object({
    id: z.string(),
    at: Instant,
    cause: z.string(),
    ...account,
    /** The account's balance after it, in a statement of one account. */
    balance: z.int().optional(),
  }),
);

/** Query of GET /_sim/ledger; with `account` its postings are a statement (spec/ledger.md#reading). */
export const LedgerQuery = {
  ...PageQuery,
  account: z.string().optional(),
  from: InstantInput.optional(),
  to: InstantInput.optional(),
};

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

/** Points of a series when nobody says how many, and at most. */
export const SERIES_POINTS = { usual: 300, most: 1000 } as const;

/** Query of GET /_sim/ledger/series (spec/ledger.md#series). */
export const SeriesQuery = {
  account: z.string(),
  currency: z.string(),
  from: InstantInput.optional(),
  to: InstantInput.optional(),
  points: z
    .lazy(() =>
      z
        .string()
        .regex(/^[0-9]{1,4}$/, `Expected a whole number from 2 to ${SERIES_POINTS.most}`)
        .transform(Number)
        .pipe(z.number().min(2).max(SERIES_POINTS.most))
        .meta({ type: "integer", minimum: 2, maximum: SERIES_POINTS.most }),
    )
    .optional(),
};

/** Reply of GET /_sim/ledger/series: a balance as steps over simulated time. */
export const BalanceSeries = named("BalanceSeries", () =>
  z.object({
    account: z.string(),
    currency: z.string(),
    from: Instant,
    to: Instant,
    /** Minor units from an instant on, until the next point. */
    points: z.array(z.object({ at: Instant, amount: z.int() })),
  }),
);

export type BalanceSeries = z.infer<typeof BalanceSeries>;

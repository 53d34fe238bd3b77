import * as z from "zod";
import { enumOf, named } from "../core/named-shape.ts";
import { MinorAmount } from "./values.ts";

/** The exact value of an amount that was rounded. */
const Rounding = named("AmountRounding", () =>
  z.object({
    /** Minor units, exact: a decimal like `22911.68`, or a fraction like `1250000/23`. */
    exact: z.string(),
    how: enumOf("RoundingWay", ["down", "up", "half up"]),
  }),
);

const FeePart = named("FeePart", () =>
  z.object({
    part: enumOf("FeePartName", ["fixed", "variable", "counterparty"]),
    amount: MinorAmount,
    /** The amount that a variable fee is a share of; a counterparty fee in its own currency. */
    of: MinorAmount.optional(),
    /** Exact share of a variable fee: `0.003`. */
    share: z.string().optional(),
    rounding: Rounding.optional(),
  }),
);

const Conversion = named("AmountConversion", () =>
  z.object({
    from: MinorAmount,
    to: MinorAmount,
    /** Units of the one for one unit of the other, exact: `0.92`, or a fraction like `4/69`. */
    rate: z.string(),
    /** Side that was computed and rounded. */
    computed: enumOf("ComputedSide", ["from", "to"]),
    rounding: Rounding.optional(),
  }),
);

/** The steps behind the amounts of a payment (spec/exchange-rates.md#calculation). */
export const Calculation = named("PaymentCalculation", () =>
  z.object({
    /** Side that the caller gave, of a quote. */
    lockedSide: enumOf("LockedSide", ["SENDING", "RECEIVING"]).optional(),
    sends: MinorAmount,
    receives: MinorAmount,
    /** The sender pays the fees on top of what it sends: they come off nothing. */
    areFeesOnTop: z.literal(true).optional(),
    fees: z.array(FeePart),
    /** Left out where sender and receiver have one currency. */
    conversion: Conversion.optional(),
  }),
);

export type Calculation = z.infer<typeof Calculation>;

export type FeePart = z.infer<typeof FeePart>;

export type AmountRounding = z.infer<typeof Rounding>;

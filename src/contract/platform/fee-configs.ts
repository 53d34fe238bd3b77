import * as z from "zod";
import { enumOf, named } from "../core/named-shape.ts";
import { Amount, MAX_AMOUNT_MINOR } from "../core/scalars.ts";

/** The only currency that platforms take fees in. */
export const FEE_CURRENCY = "USD";

/** The whole, in parts of ten thousand. */
export const MAX_BPS = 10_000;

const Bps = z.int().min(0).max(MAX_BPS);

/** A fixed part of a fee, in the smallest unit of its currency. */
const FixedFee = named("FixedFee", () =>
  z.object({ amount: Amount.max(MAX_AMOUNT_MINOR), currency: z.string() }),
);

/** A standing fee of the platform (spec/later-payments.md#platform-fees). */
export const FeeConfig = named("FeeConfig", () =>
  z.object({
    feeType: enumOf("FeeType", ["CROSS_CURRENCY_TRANSACTION"]),
    sourceCurrency: z.string(),
    variableFeeBps: Bps,
    fixedFee: FixedFee,
  }),
);

export type FeeConfig = z.infer<typeof FeeConfig>;

/** A fee of the platform on one quote, in place of the standing one. */
export const PlatformFeeOverride = named("PlatformFeeOverride", () =>
  z.object({ platformFixedFee: FixedFee, platformVariableFeeBps: Bps }),
);

export type PlatformFeeOverride = z.infer<typeof PlatformFeeOverride>;

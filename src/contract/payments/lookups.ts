import * as z from "zod";
import { AnyId, idOf } from "../core/identifiers.ts";
import { Currency } from "../money/money.ts";
import { RequiredField } from "../platform/config.ts";

/** The sender of a lookup; both members are optional (spec/lookups.md#sender). */
export const LookupQuery = {
  senderUmaAddress: z.string().optional(),
  customerId: AnyId.optional(),
};

const Bound = z.number().int().positive().meta({ format: "int64" });

/**
 * A currency that a receiver takes; the bounds are in its smallest unit
 * (spec/lookups.md#reply-fields).
 */
const ReceivableCurrency = z.lazy(() =>
  z
    .object({
      currency: Currency,
      estimatedExchangeRate: z.number().positive(),
      min: Bound,
      max: Bound,
    })
    .meta({ id: "ReceivableCurrency" }),
);

const commonMembers = () => ({
  lookupId: idOf("Lookup"),
  supportedCurrencies: z.array(ReceivableCurrency),
  requiredPayerDataFields: z.array(RequiredField),
});

/** Reply of GET /receiver/uma/{receiverUmaAddress} (spec/lookups.md#reply-fields). */
export const UmaLookup = z.lazy(() =>
  z.object({ receiverUmaAddress: z.string(), ...commonMembers() }).meta({ id: "UmaLookup" }),
);

export type UmaLookup = z.infer<typeof UmaLookup>;

/** Reply of GET /receiver/external-account/{accountId} (spec/lookups.md#reply-fields). */
export const ExternalAccountLookup = z.lazy(() =>
  z.object({ accountId: z.string(), ...commonMembers() }).meta({ id: "ExternalAccountLookup" }),
);

export type ExternalAccountLookup = z.infer<typeof ExternalAccountLookup>;

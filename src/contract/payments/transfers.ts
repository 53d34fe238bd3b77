import * as z from "zod";
import { AnyId } from "../core/identifiers.ts";
import { named } from "../core/named-shape.ts";
import { PaymentRailName } from "../core/payment-rail-shape.ts";
import { added, replaced } from "../core/revised-shape.ts";
import { AmountInput } from "../core/scalars.ts";
import { remittanceMembers } from "./remittance.ts";

const AccountReference = named("AccountReference", () => z.object({ accountId: AnyId }));

/** Body of POST /transfer-in and POST /transfer-out (spec/transfers.md#request). */
export const TransferInput = named("TransferInput", () =>
  z.object({
    source: AccountReference,
    destination: AccountReference,
    amount: AmountInput.optional(),
  }),
);

export type TransferInput = z.infer<typeof TransferInput>;

const ExternalAccountReference = named("ExternalAccountReference", () =>
  z.object({ accountId: AnyId, paymentRail: PaymentRailName.optional() }),
);

/** Body of POST /transfer-out since `remittance` (spec/later-payments.md#remittance). */
const LaterTransferOutInput = named("TransferOutInput", () =>
  z.object({
    source: AccountReference,
    destination: ExternalAccountReference,
    amount: AmountInput.optional(),
    ...remittanceMembers(),
  }),
);

/** Body of POST /transfer-out; in the first revision that of POST /transfer-in. */
export const TransferOutInput = replaced(
  z.lazy(() => TransferInput.unwrap()),
  added("remittance", LaterTransferOutInput),
);

export type TransferOutInput = z.infer<typeof LaterTransferOutInput>;

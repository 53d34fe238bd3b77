import * as z from "zod";
import { AnyId } from "../core/identifiers.ts";
import { named } from "../core/named-shape.ts";
import { AmountInput } from "../core/scalars.ts";

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

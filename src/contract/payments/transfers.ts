import * as z from "zod";
import { AnyId } from "../core/identifiers.ts";
import { AmountInput } from "../core/scalars.ts";

/** Body of POST /transfer-in and POST /transfer-out (spec/transfers.md#request). */
export const TransferInput = z.lazy(() =>
  z.object({
    source: z.object({ accountId: AnyId }),
    destination: z.object({ accountId: AnyId }),
    amount: AmountInput.optional(),
  }),
);

export type TransferInput = z.infer<typeof TransferInput>;

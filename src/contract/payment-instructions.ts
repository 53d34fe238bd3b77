import * as z from "zod";

/** How and where to pay (payments digest 7.1). */
export const PaymentInstructions = z.lazy(() =>
  z
    .object({
      accountOrWalletInfo: z.looseObject({ accountType: z.string() }),
      instructionsNotes: z.string().optional(),
      isPlatformAccount: z.boolean().optional(),
    })
    .meta({ id: "PaymentInstructions" }),
);

export type PaymentInstructions = z.infer<typeof PaymentInstructions>;

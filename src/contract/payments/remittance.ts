import * as z from "zod";
import { enumOf } from "../core/named-shape.ts";
import { addedValue, withValues } from "../core/revised-shape.ts";

export const PURPOSES_OF_PAYMENT = [
  "GIFT",
  "SELF",
  "GOODS_OR_SERVICES",
  "EDUCATION",
  "HEALTH_OR_MEDICAL",
  "REAL_ESTATE_PURCHASE",
  "TAX_PAYMENT",
  "LOAN_PAYMENT",
  "UTILITY_BILL",
  "DONATION",
  "TRAVEL",
  "OTHER",
] as const;

/** Purposes of a payment; two values came with `remittance`. */
export const PurposeOfPayment = withValues(enumOf("PurposeOfPayment", PURPOSES_OF_PAYMENT), {
  FAMILY_SUPPORT: addedValue("remittance"),
  SALARY_PAYMENT: addedValue("remittance"),
});

/** A text for the receiver of a payout (spec/later-payments.md#remittance). */
export const RemittanceInformation = z.string().max(80).optional();

/** Members of a transfer out since `remittance`. */
export const remittanceMembers = () => ({
  remittanceInformation: RemittanceInformation,
  purposeOfPayment: PurposeOfPayment.optional(),
});

import { LATER_RAILS, PAYMENT_RAILS, type PaymentRail } from "./account-fields.ts";
import { enumOf } from "./named-shape.ts";
import { addedValue, withValues } from "./revised-shape.ts";

const later = Object.fromEntries(
  LATER_RAILS.map((rail) => [rail, addedValue("accountForms")]),
) as Record<(typeof LATER_RAILS)[number], ReturnType<typeof addedValue>>;

/** One of the rails of a revision (spec/later-accounts.md#rails). */
export const PaymentRailName = withValues<PaymentRail, typeof later>(
  enumOf("PaymentRail", PAYMENT_RAILS),
  later,
);

import { enumOf } from "../core/named-shape.ts";

/** Ways of money as the customer's account sees it: in, or out. */
export const TransactionDirection = enumOf("AccountDirection", ["CREDIT", "DEBIT"]);

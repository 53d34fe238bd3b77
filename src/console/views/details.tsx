import { Approvals } from "./approvals.tsx";
import { LedgerAccount } from "./ledger-account.tsx";
import { Payment } from "./payment.tsx";
import { RecordView } from "./record.tsx";
import { RecordsView } from "./records.tsx";
import { RequestView } from "./request.tsx";
import { WebhookView } from "./webhook.tsx";
import { Why } from "./why.tsx";

/** Views that nobody opens first, in one script. */
export const DETAILS = {
  Approvals,
  LedgerAccount,
  Payment,
  RecordView,
  RecordsView,
  RequestView,
  WebhookView,
  Why,
};

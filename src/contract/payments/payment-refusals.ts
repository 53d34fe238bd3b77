import { type RefusalRow, row } from "../core/refusal-row.ts";

/** Errors of quotes, transfers, transactions and receivers. */
export const PAYMENT_REFUSALS = {
  INVALID_AMOUNT: row(
    "INVALID_AMOUNT",
    "{field} is not a usable amount",
    "Send a whole number in the currency's smallest unit",
  ),
  AMOUNT_OUT_OF_RANGE: row(
    "AMOUNT_OUT_OF_RANGE",
    "{field} is {value}, above the maximum of {max}",
    "Choose an amount within the bounds named in details",
  ),
  INVALID_CURRENCY: row(
    "INVALID_CURRENCY",
    "The currency {currency} cannot be used here",
    "Use a currency that the account type and GET /config allow",
  ),
  SELF_PAYMENT: row(
    "SELF_PAYMENT",
    "Source and destination are the same account",
    "Name two different ones",
  ),
  INVALID_RECEIVER: row(
    "INVALID_RECEIVER",
    "The lookup was made for {receiver}, not for {value}",
    "Send the lookupId that GET /receiver returned for this receiver",
  ),
  LOOKUP_REQUEST_NOT_FOUND_IN_BODY: row(
    "INVALID_INPUT",
    "{field} is not the id of a lookup: {value}",
    "Look the receiver up again with GET /receiver, and create the quote before the lookup expires",
  ),
  CUSTOMER_DELETED_IN_PAYMENT: row(
    "INVALID_INPUT",
    "{value} belongs to a deleted customer",
    "Use an account of a customer that is not deleted",
  ),
  OWNER_MISMATCH: row(
    "INVALID_INPUT",
    "{field} belongs to another owner",
    "Use an account of the paying customer or of the platform",
  ),
  SOURCE_NOT_PULLABLE: row(
    "INVALID_INPUT",
    "{value} is a {accountType}, which money cannot be pulled from",
    "Use a bank account as the source, or send the money to the platform",
  ),
  USE_QUOTE: row(
    "INVALID_INPUT",
    "{value} is an embedded wallet, which pays only with a signature",
    "POST /quotes with it as the source, then execute that quote",
  ),
  INSUFFICIENT_BALANCE: row(
    "AMOUNT_OUT_OF_RANGE",
    "The balance {balance} is less than the {needed} needed",
    "POST /sandbox/internal-accounts/{accountId}/fund adds money",
  ),
  QUOTE_NOT_FOUND: row("QUOTE_NOT_FOUND", "No quote {id}", "POST /quotes creates one"),
  TRANSACTION_NOT_FOUND: row(
    "TRANSACTION_NOT_FOUND",
    "No transaction {id}",
    "GET /transactions lists them",
  ),
  UMA_NOT_FOUND: row(
    "UMA_NOT_FOUND",
    "UMA address {id} not found",
    "The sandbox has {sandboxPeople} at {sandboxDomains}; GET /customers lists the others",
  ),
  QUOTE_EXPIRED: row(
    "CONFLICT",
    "The quote expired at {expiresAt}",
    "Create a new quote and execute it before its expiresAt",
  ),
  QUOTE_ALREADY_EXECUTED: row(
    "CONFLICT",
    "The quote is already {quoteStatus}",
    "GET /quotes/{id} shows the result",
  ),
  TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL: row(
    "TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL",
    "The transaction {id} is not waiting for approval: it is {transactionStatus}",
    "GET /transactions/{id} shows the result",
  ),
  NOT_A_BANK_TRANSFER: row(
    "INVALID_INPUT",
    "Only a bank transfer over a slow rail can be canceled: {why}",
    "GET /transactions/{id} shows its paymentRail",
  ),
  TRANSACTION_NOT_CANCELLABLE: row(
    "TRANSACTION_NOT_CANCELLABLE",
    "The transaction {id} is {transactionStatus}: it is too late to cancel it",
    "A transfer to an account that ends in 003 or 005 takes minutes, and a manual clock stands still",
  ),
  TRANSACTION_SIZE_LIMIT_EXCEEDED: row(
    "TRANSACTION_SIZE_LIMIT_EXCEEDED",
    "The amount {value} is above the limit of {max} for one payment in {currency}",
    "Send less, or set another limit with PATCH /_sim/limits",
  ),
  DAILY_VOLUME_LIMIT_EXCEEDED: row(
    "DAILY_VOLUME_LIMIT_EXCEEDED",
    "{value} more would be above the daily limit of {max} in {currency}; {used} are used",
    "Wait until the next day in UTC, or set another limit with PATCH /_sim/limits",
  ),
  LNURLP_REQUEST_FAILED: row(
    "LNURLP_REQUEST_FAILED",
    "{value} is at a domain that the simulator does not call",
    "Use {sandboxPeople} at {sandboxDomains}, or the umaAddress of a customer",
  ),
} as const satisfies Record<string, RefusalRow>;

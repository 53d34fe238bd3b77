import type { CurrencyCode } from "../../contract/money/currencies.ts";
import { isCurrencyCode } from "../../contract/money/currencies.ts";
import type { Moment, Rule, View } from "../core/draft.ts";
import { seconds } from "../core/durations.ts";
import { platformConfig } from "../core/platform-config.ts";
import { refuse } from "../core/refusal.ts";
import { isChanged } from "../core/revision.ts";
import type { TransactionLimit, TransactionRecord } from "../records/records.ts";

const DAY_MS = seconds(86_400);

const LOST: ReadonlySet<string> = new Set(["FAILED", "EXPIRED"]);

/** The part of a payment in the volume of its day: nothing before its money moves, or once it failed. */
const volumeOf = (transaction: TransactionRecord, currency: CurrencyCode): number => {
  if (transaction.type !== "OUTGOING" || transaction.sendingCurrency !== currency) return 0;
  return transaction.course && !LOST.has(transaction.status) ? transaction.sentMinor : 0;
};

/** Amounts that were sent since the beginning of a day, in UTC. */
const volumeSince = (view: View, currency: CurrencyCode, dayMs: number): number => {
  const ids = view.ids("Transaction", "all", "");
  let volume = 0;
  for (let at = ids.length - 1; at >= 0; at -= 1) {
    const transaction = view.get("Transaction", ids.at(at) as string);
    if (!transaction || transaction.createdAtMs < dayMs) break;
    volume += volumeOf(transaction, currency);
  }
  return volume;
};

/** An amount that is to be sent, and the field that gave it. */
interface Sending {
  currency: CurrencyCode;
  amountMinor: number;
  field: string;
}

const limitOf = (view: View, currency: CurrencyCode): TransactionLimit | undefined => {
  const { transactionLimits } = platformConfig(view);
  return transactionLimits && isChanged(view, "transactionLimits")
    ? transactionLimits[currency]
    : undefined;
};

/** Refuses an amount above the limit of one payment (spec/later-payments.md#transaction-limits). */
export const requireSize = (view: View, { currency, amountMinor, field }: Sending) => {
  const max = limitOf(view, currency)?.maxTransactionAmount;
  if (max !== undefined && amountMinor > max)
    refuse("TRANSACTION_SIZE_LIMIT_EXCEEDED", { field, value: amountMinor, max, currency });
};

/** Refuses an amount above what is left of its day (spec/later-payments.md#transaction-limits). */
export const requireVolume = (
  view: View,
  { currency, amountMinor }: Omit<Sending, "field">,
  { atMs }: Pick<Moment, "atMs">,
) => {
  const max = limitOf(view, currency)?.dailyVolume;
  if (max === undefined) return;
  const dayMs = Math.floor(atMs / DAY_MS) * DAY_MS;
  const used = volumeSince(view, currency, dayMs);
  if (used + amountMinor <= max) return;
  const retryAfterSeconds = Math.ceil((dayMs + DAY_MS - atMs) / seconds(1));
  const details = { value: amountMinor, used, max, currency, retryAfterSeconds };
  refuse("DAILY_VOLUME_LIMIT_EXCEEDED", details);
};

/** Limits by currency, as a tester sets them; null removes one. */
export type LimitsInput = Readonly<Record<string, TransactionLimit | null>>;

/** Sets limits of payments; the currencies that are not named keep theirs. */
export const setLimits: Rule<LimitsInput, Readonly<Record<string, TransactionLimit>>> = (
  draft,
  input,
) => {
  const config = platformConfig(draft);
  const limits: Record<string, TransactionLimit> = { ...config.transactionLimits };
  for (const [code, limit] of Object.entries(input)) {
    if (!isCurrencyCode(code))
      return refuse("INVALID_CURRENCY", { field: code, value: code, currency: code });
    if (limit === null) delete limits[code];
    else limits[code] = limit;
  }
  draft.put("PlatformConfig", { ...config, transactionLimits: limits });
  return limits;
};

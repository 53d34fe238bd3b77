import type { Step } from "./history.ts";

/** A record as the checker compares it. */
export interface Kept {
  id: string;
  status?: string;
  type?: string;
  totalSendingMinor?: number;
  totalReceivingMinor?: number;
  transactionId?: string;
  sentMinor?: number;
  receivedMinor?: number;
}

/** Records and balances of a world, made from its changes alone. */
export class ReplayedWorld {
  private readonly records = new Map<string, Kept>();
  private readonly balances = new Map<string, bigint>();
  seq = 0;

  apply({ seq, put = [], del = [], post = [] }: Step) {
    this.seq = seq;
    for (const [kind, record] of put) this.records.set(`${kind} ${record.id}`, record);
    for (const [kind, id] of del) this.records.delete(`${kind} ${id}`);
    for (const [account, currency, minor] of post) {
      const key = `${account} ${currency}`;
      this.balances.set(key, (this.balances.get(key) ?? 0n) + BigInt(minor));
    }
  }

  record(kind: string, id: string): Kept | undefined {
    return this.records.get(`${kind} ${id}`);
  }

  balance(account: string, currency: string): bigint {
    return this.balances.get(`${account} ${currency}`) ?? 0n;
  }

  /** Sums of all balances by currency, and balances below zero that may not be. */
  ledgerFaults(): string[] {
    const totals = new Map<string, bigint>();
    const faults: string[] = [];
    for (const [key, minor] of this.balances) {
      const [account = "", currency = ""] = key.split(" ");
      totals.set(currency, (totals.get(currency) ?? 0n) + minor);
      if (minor < 0n && !account.startsWith("Ledger:")) faults.push(`${key} is ${minor}`);
    }
    for (const [currency, total] of totals)
      if (total !== 0n) faults.push(`the postings in ${currency} add up to ${total}`);
    return faults;
  }
}

/**
 * A model of a cardholder's accounts, cards and payments, written from the documents and not from
 * the code. Amounts are totals, and every balance is their sum.
 */

/** Smallest units of a dollar. */
const PER_DOLLAR: Record<string, bigint> = { USD: 100n, USDC: 1_000_000n, USDB: 1_000_000n };

/** The smallest amount in the other currency that covers an amount. */
const covering = (amount: bigint, from: string, to: string) => {
  const [have, want] = [PER_DOLLAR[from] ?? 0n, PER_DOLLAR[to] ?? 0n];
  return (amount * want + have - 1n) / have;
};

const PENDING_MS = 30_000;
const OPEN = ["AUTHORIZED", "PARTIALLY_SETTLED"];

export interface ModelAccount {
  id: string;
  currency: string;
  funded: bigint;
  isFrozen: boolean;
}

export interface ModelCard {
  id: string;
  currency: string;
  state: "ACTIVE" | "FROZEN" | "CLOSED";
  sources: ModelAccount[];
  /** The account that declines name once the card is closed. */
  firstSource: ModelAccount;
}

export interface ModelPayment {
  card: ModelCard;
  account: ModelAccount;
  currency: string;
  status: string;
  declineCode?: string;
  authorized: bigint;
  /** In the merchant's currency, like the next member. */
  cleared: bigint;
  returned: bigint;
  /** In the account's currency, like all that follow. */
  pulls: bigint[];
  released: bigint;
  uncovered: bigint;
  settlements: number;
  refunds: number;
  refunded: bigint;
  pendingUntilMs: number[];
  isLateOpen: boolean;
}

const sum = (amounts: bigint[]) => amounts.reduce((total, one) => total + one, 0n);

export class CardModel {
  readonly payments: ModelPayment[] = [];
  readonly accounts: ModelAccount[];
  atMs = 0;

  constructor(accounts: ModelAccount[]) {
    this.accounts = accounts;
  }

  balance(account: ModelAccount): bigint {
    const own = this.payments.filter((one) => one.account === account);
    const moved = own.map(({ pulls, released, refunded }) => released + refunded - sum(pulls));
    return account.funded + sum(moved);
  }

  /** The cost of the payment so far, in the account's currency. */
  settled({ cleared, currency, account }: ModelPayment) {
    return covering(cleared, currency, account.currency);
  }

  held(payment: ModelPayment) {
    const { pulls, released, uncovered } = payment;
    return sum(pulls) - released - (this.settled(payment) - uncovered);
  }

  /** The ledger's own accounts of one currency. */
  ledger(currency: string) {
    const own = this.payments.filter(({ account }) => account.currency === currency);
    const accounts = this.accounts.filter((one) => one.currency === currency);
    return {
      funding: -sum(accounts.map(({ funded }) => funded)),
      cardHolds: sum(own.map((one) => this.held(one))),
      cardSettlements: sum(own.map((one) => this.settled(one) - one.refunded)),
      losses: -sum(own.map(({ uncovered }) => uncovered)),
    };
  }

  private canPay(account: ModelAccount, amount: bigint) {
    return !account.isFrozen && this.balance(account) >= amount;
  }

  authorize(card: ModelCard, purchase: { amount: bigint; currency: string; ending: string }) {
    const { amount, currency, ending } = purchase;
    const needed = covering(amount, currency, card.currency);
    const payer = card.sources.find((account) => this.canPay(account, needed));
    const declineCode =
      (card.state === "FROZEN" ? "CARD_PAUSED" : undefined) ??
      { "002": "INSUFFICIENT_FUNDS", "003": "CARD_PAUSED" }[ending] ??
      (card.state === "CLOSED" ? "CARD_NOT_ACTIVE" : undefined) ??
      (payer ? undefined : "INSUFFICIENT_FUNDS");
    const isPulled = declineCode === undefined && ending !== "006";
    const payment: ModelPayment = {
      card,
      account: declineCode === undefined && payer ? payer : card.firstSource,
      currency,
      status: declineCode ? "DECLINED" : isPulled ? "AUTHORIZED" : "EXCEPTION",
      ...(declineCode && { declineCode }),
      authorized: amount,
      cleared: 0n,
      returned: 0n,
      pulls: isPulled ? [needed] : [],
      released: 0n,
      uncovered: 0n,
      settlements: 0,
      refunds: 0,
      refunded: 0n,
      pendingUntilMs: isPulled && ending === "005" ? [this.atMs + PENDING_MS] : [],
      isLateOpen: false,
    };
    this.payments.push(payment);
    return payment;
  }

  private end(payment: ModelPayment) {
    payment.released += this.held(payment);
    payment.pendingUntilMs = [];
    payment.status = "SETTLED";
  }

  /** @returns whether it is accepted */
  clear(payment: ModelPayment, amount: bigint, ending: string): boolean {
    const wasOpen = OPEN.includes(payment.status);
    if (!wasOpen && !(payment.isLateOpen && payment.status === "SETTLED")) return false;
    if (amount === 0n) {
      this.end(payment);
      return true;
    }
    payment.isLateOpen = false;
    const heldBefore = this.held(payment);
    const settledBefore = this.settled(payment);
    payment.cleared += amount;
    payment.settlements += 1;
    const missing = this.settled(payment) - settledBefore - heldBefore;
    const isPaid = missing <= 0n || this.balance(payment.account) >= missing;
    if (missing > 0n && isPaid) {
      payment.pulls.push(missing);
      if (ending === "005") payment.pendingUntilMs.push(this.atMs + PENDING_MS);
    } else if (!isPaid) payment.uncovered += missing;
    const isWhole = !wasOpen || payment.cleared >= payment.authorized;
    payment.status = isPaid ? (isWhole ? "SETTLED" : "PARTIALLY_SETTLED") : "EXCEPTION";
    return true;
  }

  /** @returns whether it is accepted */
  giveBack(payment: ModelPayment, amount: bigint): boolean {
    const net = payment.cleared - payment.returned;
    const isReturnable = ["SETTLED", "PARTIALLY_SETTLED"].includes(payment.status);
    if (!isReturnable || amount <= 0n || amount > net) return false;
    payment.returned += amount;
    payment.refunds += 1;
    const kept = covering(net - amount, payment.currency, payment.account.currency);
    const due = this.settled(payment) - kept;
    if (due > payment.refunded) payment.refunded = due;
    if (amount === net) {
      payment.released += this.held(payment);
      payment.status = "REFUNDED";
    }
    return true;
  }

  close(card: ModelCard) {
    card.state = "CLOSED";
    card.sources = [];
    for (const payment of this.payments)
      if (payment.card === card && OPEN.includes(payment.status)) {
        this.end(payment);
        payment.isLateOpen = true;
      }
  }

  advance(ms: number) {
    this.atMs += ms;
    for (const payment of this.payments)
      payment.pendingUntilMs = payment.pendingUntilMs.filter((untilMs) => untilMs > this.atMs);
  }
}

import type { Parsed } from "../../../setup/test-simulator.ts";
import { countedIn, type Money, reexpressedIn } from "./adversary-money.ts";
import type { Policy } from "./adversary-moves.ts";
import {
  allowedBy,
  perTransactionLimit,
  type Usage,
  unused,
  usageAt,
  usedBy,
} from "./adversary-policy.ts";
import type { AdversaryWorld, Fact } from "./adversary-world.ts";

/** The policy that the platform reported for an agent, and the money that left under it. */
interface InForce {
  policy: Policy;
  isPaused: boolean;
  isDeleted: boolean;
  usage: Usage;
}

/** A payment that an answer reported. */
interface Execution {
  requestId: string;
  /** Absent where the platform pays by itself. */
  policy?: Policy;
  customer?: number;
}

const PAGE = 100;

const allTransactions = async ({ sim, customers }: AdversaryWorld) => {
  const found = new Map<string, Parsed>();
  for (const customerId of customers)
    for (let cursor = ""; ; ) {
      const query = `customerId=${customerId}&limit=${PAGE}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
      const { body } = await sim.call("GET", `/transactions?${query}`);
      for (const transaction of body.data) found.set(transaction.id, transaction);
      if (!body.hasMore) break;
      cursor = body.nextCursor;
    }
  return found;
};

const ledgerOf = async ({ sim, postingsBefore }: AdversaryWorld) => {
  const postings: Parsed[] = [];
  for (let cursor = ""; ; ) {
    const { body } = await sim.control(
      "GET",
      `/ledger?limit=${PAGE}${cursor && `&cursor=${cursor}`}`,
    );
    const before = Number(body.nextCursor ?? 0);
    postings.push(
      ...body.postings.slice(0, body.postings.length - Math.max(0, postingsBefore - before)),
    );
    if (before <= postingsBefore) return { ...body, postings };
    cursor = body.nextCursor;
  }
};

/** The payment that an answer reports, even a failed one if it had begun. */
const paidBy = ({ move, answer: { status, body } }: Fact): string | undefined => {
  if (status >= 300 || move.does === "pause" || move.does === "change policy") return undefined;
  if (move.does === "quote" || move.does === "pay")
    return body.status === "PENDING" ? undefined : body.transactionId;
  return body?.transaction?.id;
};

const moneyOf = ({ type, sentAmount, receivedAmount }: Parsed): Money => {
  const { amount, currency } = type === "INCOMING" ? receivedAmount : sentAmount;
  return { minor: BigInt(amount), currency: currency.code };
};

/**
 * Reads a run again without the referee. The policy in force is the one that the platform answered;
 * the moved money is that of the transactions and the ledger.
 */
export class Audit {
  private readonly executions = new Map<string, Execution>();
  private readonly inForce: InForce[];
  private readonly world: AdversaryWorld;
  private readonly transactions: ReadonlyMap<string, Parsed>;

  private constructor(world: AdversaryWorld, transactions: ReadonlyMap<string, Parsed>) {
    this.world = world;
    this.transactions = transactions;
    this.inForce = world.firstPolicies.map((policy) => ({
      policy,
      isPaused: false,
      isDeleted: false,
      usage: unused(0),
    }));
  }

  static async of(world: AdversaryWorld) {
    const audit = new Audit(world, await allTransactions(world));
    for (const fact of world.facts) audit.read(fact);
    audit.checkNothingElse();
    await audit.checkLedger();
    return audit.inForce;
  }

  private require(isSo: boolean, promise: string, found: unknown): asserts isSo {
    if (isSo) return;
    const shown = JSON.stringify(found, (_name, value) =>
      typeof value === "bigint" ? `${value}` : value,
    );
    throw this.world.failure(`Expected ${promise} but found ${shown}`);
  }

  private read(fact: Fact) {
    const { move, answer } = fact;
    const { status, body } = answer;
    const paid = paidBy(fact);
    if (move.does === "pay") {
      if (paid !== undefined) this.executions.set(paid, { requestId: fact.requestId });
      return;
    }
    const agent = this.inForce[move.agent] as InForce;
    if (paid !== undefined) this.checkExecution(fact, agent, paid);
    if (status >= 300) return;
    if (move.does === "delete") agent.isDeleted = true;
    if (move.does === "pause") agent.isPaused = body.isPaused;
    if (move.does === "change policy") this.change(agent, body.policy, fact);
  }

  private change(agent: InForce, policy: Policy, { rates, atMs }: Fact) {
    const from = agent.policy.spendingLimits.currency;
    const to = policy.spendingLimits.currency;
    const usage = usageAt(agent.usage, atMs);
    const anew = (minor: bigint) =>
      from === to ? minor : reexpressedIn(to, { minor, currency: from }, rates);
    agent.usage = { ...usage, daily: anew(usage.daily), monthly: anew(usage.monthly) };
    agent.policy = policy;
  }

  private checkExecution(fact: Fact, agent: InForce, paid: string) {
    const { move, requestId, atMs, rates } = fact;
    if (this.executions.has(paid)) {
      // Only the same key may report the same payment again.
      this.require("key" in move, "a payment to be made once", { paid, move });
      return;
    }
    const { policy } = agent;
    const by = "agent" in move ? move.agent : 0;
    const { customer } = this.world.state.agents[by] as { customer: number };
    this.executions.set(paid, { requestId, policy, customer });
    const transaction = this.transactions.get(paid);
    this.require(transaction !== undefined, "the payment to be listed", paid);
    this.require(transaction.agentId === this.world.agents[by]?.id, "its agent on it", transaction);
    this.require(!agent.isPaused && !agent.isDeleted, "nothing by a paused or deleted agent", move);
    const { currency, dailyLimit, dailyTransactionLimit, monthlyLimit } = policy.spendingLimits;
    const amount = countedIn(currency, moneyOf(transaction), rates);
    const inside = [transaction.source, transaction.destination].map(({ accountId }) => accountId);
    const ruling = inside.find((id) => this.world.accounts.get(id)?.isInside);
    const used = usedBy(usageAt(agent.usage, atMs), amount);
    const within = (found: bigint, limit: number | null | undefined, name: string) =>
      this.require(
        limit === null || limit === undefined || found <= BigInt(limit),
        `at most the ${name} ${limit}`,
        { found, move },
      );
    within(amount, perTransactionLimit(policy, ruling), "perTransactionLimit");
    within(used.daily, dailyLimit, "dailyLimit");
    within(used.monthly, monthlyLimit, "monthlyLimit");
    within(BigInt(used.count), dailyTransactionLimit, "dailyTransactionLimit");
    if (fact.answer.body.status !== "FAILED") agent.usage = used;
  }

  /** Asserts that every payment was reported by an answer. */
  private checkNothingElse() {
    for (const { id, quoteId, status } of this.transactions.values()) {
      const isOnlyQuoted = quoteId !== undefined && (status === "PENDING" || status === "EXPIRED");
      this.require(isOnlyQuoted || this.executions.has(id), "only payments that were answered", {
        id,
        status,
      });
    }
  }

  private async checkLedger() {
    const { totals, balances, postings } = await ledgerOf(this.world);
    const { accounts, fundings, state } = this.world;
    this.require(
      Object.values(totals).every((total) => total === 0),
      "totals of zero",
      totals,
    );
    const byRequest = new Map([...this.executions.values()].map((one) => [one.requestId, one]));
    for (const posting of postings) {
      const { account, cause } = posting;
      if (!account.startsWith("InternalAccount:") || fundings.has(cause)) continue;
      const execution = byRequest.get(cause) ?? this.executions.get(cause.split(" ")[1] ?? "");
      this.require(execution !== undefined, "a cause for each posting", posting);
      const { policy, customer } = execution;
      if (!policy) continue;
      this.require(
        accounts.get(account)?.customer === customer,
        "its own customer's account",
        posting,
      );
      this.require(allowedBy(policy)?.includes(account) ?? true, "an allowed account", posting);
    }
    for (const { account, amount } of balances) {
      const known = state.balances[account];
      if (known !== undefined)
        this.require(known === BigInt(amount) && amount >= 0, `a balance of ${known}`, {
          account,
          amount,
        });
    }
  }
}

import type { Answer } from "../../../setup/test-simulator.ts";
import { type Account, fateOf, type Job, touchedBy } from "./adversary-fates.ts";
import { countedIn, quoted } from "./adversary-money.ts";
import { type AgentMove, isByAgent, type Move, requestOf } from "./adversary-moves.ts";
import {
  type Asked,
  accountDenial,
  type Denial,
  limitDenial,
  needsApproval,
  patched,
  publishedUsage,
  usageAt,
  usedBy,
} from "./adversary-policy.ts";
import type { Expected, ModelAction, ModelAgent, ModelQuote, State } from "./adversary-state.ts";

const DAY_MS = 86_400_000;
const QUOTE_LIFETIME_MS = 300_000;
const MOST = 9_000_000_000_000_000n;
/** Bounds of quoted amounts by currency; the platform sends no other currency by quote. */
const BOUNDS: Record<string, [bigint, bigint]> = {
  USD: [100n, 10_000_000n],
  USDC: [100n, 100_000_000_000n],
};
const PERMISSIONS = { transfer: "CREATE_TRANSFERS", execute: "EXECUTE_QUOTES" } as const;

const refused = (
  status: number,
  word: string,
  details: Record<string, unknown> = {},
): Expected => ({
  status,
  word,
  details,
});
const denied = ({ word, details = {} }: Denial) => refused(403, word, details);

type Accounts = ReadonlyMap<string, Account>;
type Ending = "DONE" | "REFUSED" | "POOR";

/** Predicts the platform's answers, as a second reading of the contract and not of the code. */
export class Referee {
  private readonly state: State;
  private readonly accounts: Accounts;

  constructor(state: State, accounts: Accounts) {
    this.state = state;
    this.accounts = accounts;
  }

  /** Every right answer; several only if something is due at this instant. */
  expects(move: Move): Expected[] {
    if (isByAgent(move)) return this.ofAgent(move);
    if (move.does === "pay") return this.pay(move.quoteId);
    const agent = this.state.agents[move.agent] as ModelAgent;
    if (agent.isDeleted) return [refused(404, "REFERENCE_NOT_FOUND")];
    switch (move.does) {
      case "decide":
        return this.decide(agent, move);
      case "pause":
        return [this.changed(agent, { ...agent, isPaused: move.isPaused })];
      case "change policy": {
        const listed = move.patch.accountRestrictions?.allowedAccountIds ?? [];
        if (listed.some((id) => this.accounts.get(id)?.customer !== agent.customer))
          return [refused(400, "OWNER_MISMATCH")];
        return [this.changed(agent, { ...agent, ...patched(agent, move.patch, this.state) })];
      }
      case "delete":
        return [{ status: 204, keep: () => this.forget(agent) }];
    }
  }

  /** An agent as the platform must show it. */
  shows(agent: ModelAgent): Expected {
    if (agent.isDeleted) return refused(404, "REFERENCE_NOT_FOUND");
    const { isPaused, policy } = agent;
    const usage = publishedUsage(agent.usage, this.state.nowMs);
    return { status: 200, body: { isPaused, policy, usage } };
  }

  private changed(agent: ModelAgent, to: ModelAgent): Expected {
    return { ...this.shows(to), keep: () => void Object.assign(agent, to) };
  }

  private forget(agent: ModelAgent) {
    agent.isDeleted = true;
    for (const action of this.state.actions)
      if (this.state.agents[action.agent] === agent && action.status === "PENDING_APPROVAL")
        action.status = "REJECTED";
  }

  private ofAgent(move: AgentMove): Expected[] {
    const agent = this.state.agents[move.agent] as ModelAgent;
    if (agent.isDeleted) return [{ status: 401 }];
    if (move.key === undefined) return this.submission(move, agent);
    const key = `${agent.id} ${requestOf(move, []).path} ${move.key}`;
    const stored = this.state.answers.get(key);
    if (stored && this.state.nowMs < stored.untilMs)
      return [{ status: stored.status, body: stored.body }];
    return this.submission(move, agent).map((expected) => ({
      ...expected,
      keep: (answer) => {
        expected.keep?.(answer);
        const untilMs = this.state.nowMs + DAY_MS;
        this.state.answers.set(key, { status: answer.status, body: answer.body, untilMs });
      },
    }));
  }

  private submission(move: AgentMove, agent: ModelAgent): Expected[] {
    const { policy, isPaused } = agent;
    const quote =
      move.does === "execute" ? this.state.quotes.find(({ id }) => id === move.quoteId) : undefined;
    if (move.does === "execute" && quote?.agent !== move.agent)
      return [refused(404, "QUOTE_NOT_FOUND")];
    if (isPaused) return [denied({ word: "AGENT_PAUSED" })];
    const needed =
      move.does === "quote"
        ? ["CREATE_QUOTES", ...(move.isImmediate ? ["EXECUTE_QUOTES"] : [])]
        : [PERMISSIONS[move.does]];
    const requiredPermission = needed.find((one) => !policy.permissions.includes(one));
    if (requiredPermission !== undefined)
      return [denied({ word: "PERMISSION_DENIED", details: { requiredPermission } })];
    if (quote) return this.execute(agent, quote);
    return move.does === "quote" ? this.quote(move, agent) : this.transfer(move as never, agent);
  }

  private transfer(move: AgentMove & { does: "transfer" }, agent: ModelAgent): Expected[] {
    const { from, to, amount } = move;
    if (amount <= 0) return [refused(400, "INVALID_AMOUNT")];
    const ends = this.ownEnds(agent, from, to);
    if (!ends) return [refused(400, "ACCOUNT_NOT_FOUND", {})];
    const [source, target] = ends;
    const isIn = move.way === "in";
    if (source.isInside === isIn || target.isInside !== isIn)
      return [refused(400, "ACCOUNT_KIND_NOT_ALLOWED")];
    if (isIn && !source.isPullable) return [refused(400, "SOURCE_NOT_PULLABLE")];
    if (source.currency !== target.currency) return [refused(400, "INVALID_CURRENCY")];
    const job: Job = {
      type: isIn ? "TRANSFER_IN" : "TRANSFER_OUT",
      from: source,
      to: target,
      sentMinor: BigInt(amount),
      receivedMinor: BigInt(amount),
    };
    const denial = this.denialOf(agent, job);
    if (denial) return [denied(denial)];
    if (BigInt(amount) > MOST) return [refused(400, "AMOUNT_OUT_OF_RANGE")];
    return this.submitted(move.agent, job, 201);
  }

  private ownEnds({ customer }: ModelAgent, from: string, to: string) {
    const ends = [this.accounts.get(from), this.accounts.get(to)];
    return ends.every((one) => one?.customer === customer)
      ? (ends as [Account, Account])
      : undefined;
  }

  private quote(move: AgentMove & { does: "quote" }, agent: ModelAgent): Expected[] {
    const { side, amount, isImmediate } = move;
    if (amount <= 0) return [refused(400, "INVALID_AMOUNT")];
    const ends = this.ownEnds(agent, move.from, move.to);
    if (!ends) return [refused(400, "ACCOUNT_NOT_FOUND")];
    const [from, to] = ends;
    if (!from.isPullable) return [refused(400, "SOURCE_NOT_PULLABLE")];
    if (from === to) return [refused(400, "SELF_PAYMENT")];
    const bounds = BOUNDS[from.currency];
    if (!bounds) return [refused(400, "INVALID_CURRENCY")];
    const lockedMinor = BigInt(amount);
    const terms = { from: from.currency, to: to.currency, side, lockedMinor };
    const { sent: sentMinor, received: receivedMinor } = quoted(terms, this.state.rates);
    const job: Job = { type: "EXECUTE_QUOTE", from, to, sentMinor, receivedMinor };
    const denial = isImmediate
      ? this.denialOf(agent, job)
      : accountDenial(agent.policy, touchedBy(job));
    if (denial) return [denied(denial)];
    const isBeyond = [lockedMinor, sentMinor, receivedMinor].some((minor) => minor > MOST);
    if (isBeyond || receivedMinor === 0n || sentMinor < bounds[0] || sentMinor > bounds[1])
      return [refused(400, "AMOUNT_OUT_OF_RANGE")];
    const shown = {
      totalSendingAmount: Number(sentMinor),
      totalReceivingAmount: Number(receivedMinor),
    };
    const made = (id: string) => this.made(move.agent, { ...job, quoteId: id });
    if (!isImmediate)
      return [
        { status: 201, body: { ...shown, status: "PENDING" }, keep: ({ body }) => made(body.id) },
      ];
    return this.submitted(move.agent, job, 201).map(({ body, keep }) => ({
      status: 201,
      body: { ...shown, status: body?.status === "APPROVED" ? "PROCESSING" : "PENDING" },
      keep: (answer) => {
        job.quoteId = answer.body.id;
        made(answer.body.id).isExecuted = body?.status === "APPROVED";
        keep?.({ ...answer, body: {} });
      },
    }));
  }

  private made(agent: number, job: Job & { quoteId: string }): ModelQuote {
    const expiresAtMs = this.state.nowMs + QUOTE_LIFETIME_MS;
    const quote = { id: job.quoteId, agent, job, expiresAtMs, isExecuted: false };
    this.state.quotes.push(quote);
    return quote;
  }

  /** The obstacle to executing a quote now, if any. */
  private stateOf({ isExecuted, expiresAtMs }: ModelQuote): Expected | undefined {
    if (isExecuted) return refused(409, "QUOTE_ALREADY_EXECUTED");
    return this.state.nowMs >= expiresAtMs ? refused(409, "QUOTE_EXPIRED") : undefined;
  }

  private execute(agent: ModelAgent, quote: ModelQuote): Expected[] {
    const denial = this.denialOf(agent, quote.job);
    if (denial) return [denied(denial)];
    const problem = this.stateOf(quote);
    if (problem) return [problem];
    const isWaiting = this.state.actions.some(
      ({ job, status }) => job.quoteId === quote.id && status === "PENDING_APPROVAL",
    );
    if (isWaiting) return [refused(409, "ACTION_PENDING_APPROVAL")];
    return this.submitted(quote.agent, quote.job, 200);
  }

  private asked(job: Job): Asked {
    const touched = touchedBy(job);
    return {
      permission: job.type === "EXECUTE_QUOTE" ? "EXECUTE_QUOTES" : "CREATE_TRANSFERS",
      money: { minor: job.sentMinor, currency: job.from.currency },
      touched,
      ruling: touched[0],
    };
  }

  private denialOf(agent: ModelAgent, job: Job): Denial | undefined {
    const asked = this.asked(job);
    return accountDenial(agent.policy, asked.touched) ?? limitDenial(agent, asked, this.state);
  }

  private submitted(by: number, job: Job, status: 200 | 201): Expected[] {
    const { policy } = this.state.agents[by] as ModelAgent;
    const action: ModelAction = {
      agent: by,
      job,
      status: "PENDING_APPROVAL",
      hasTransaction: false,
    };
    const add = ({ body }: Answer) => {
      this.state.actions.push(action);
      if (body.id !== undefined) action.id = body.id;
    };
    if (needsApproval(policy, this.asked(job), this.state.rates))
      return [{ status, body: { status: "PENDING_APPROVAL" }, hasTransaction: false, keep: add }];
    return this.endings(job).map((ending) => ({
      status,
      body: { status: ending === "DONE" ? "APPROVED" : "FAILED" },
      hasTransaction: ending !== "POOR",
      keep: (answer) => {
        add(answer);
        this.perform(action, ending);
      },
    }));
  }

  /**
   * Possible ends of an execution within its call; money due at this instant may have arrived or
   * not.
   */
  private endings(job: Job): Ending[] {
    const { from, sentMinor } = job;
    const done = fateOf(job).isRefused ? "REFUSED" : "DONE";
    if (!from.isInside) return [done];
    const there = this.state.balances[from.id] ?? 0n;
    if (there >= sentMinor) return [done];
    const { nowMs, coming } = this.state;
    const due = coming.filter(({ accountId, atMs }) => accountId === from.id && atMs <= nowMs);
    const most = due.reduce((sum, { minor }) => sum + minor, there);
    return most >= sentMinor ? [done, "POOR"] : ["POOR"];
  }

  /** Moves the money of a job. */
  private move(job: Job) {
    const { from, to, sentMinor, receivedMinor } = job;
    const { balances, coming, nowMs } = this.state;
    const { isRefused, failsAfterMs, refundAfterMs } = fateOf(job);
    if (from.isInside) {
      balances[from.id] = (balances[from.id] ?? 0n) - sentMinor;
      if (refundAfterMs !== undefined)
        coming.push({ accountId: from.id, minor: sentMinor, atMs: nowMs + refundAfterMs });
    }
    if (to.isInside && !isRefused && failsAfterMs === undefined)
      coming.push({ accountId: to.id, minor: receivedMinor, atMs: nowMs });
    const quote = this.state.quotes.find(({ id }) => id === job.quoteId);
    if (quote) quote.isExecuted = true;
  }

  private perform(action: ModelAction, ending: Ending) {
    action.status = ending === "DONE" ? "APPROVED" : "FAILED";
    action.hasTransaction = ending !== "POOR";
    if (ending === "POOR") return;
    const { job } = action;
    const { failsAfterMs } = fateOf(job);
    const { nowMs, rates } = this.state;
    this.move(job);
    if (ending === "REFUSED") return;
    if (failsAfterMs !== undefined) action.failsAtMs = nowMs + failsAfterMs;
    const agent = this.state.agents[action.agent] as ModelAgent;
    const { currency } = agent.policy.spendingLimits;
    const by = countedIn(currency, { minor: job.sentMinor, currency: job.from.currency }, rates);
    agent.usage = usedBy(usageAt(agent.usage, nowMs), by);
  }

  private decide(agent: ModelAgent, move: Move & { does: "decide" }): Expected[] {
    const { actionId, on, reason } = move;
    const action = this.state.actions.find(({ id }) => id === actionId);
    if (!action || this.state.agents[action.agent] !== agent)
      return [refused(404, "REFERENCE_NOT_FOUND")];
    const { status, job } = action;
    const { nowMs } = this.state;
    if (status !== "PENDING_APPROVAL") {
      const mayHaveFailed = status === "APPROVED" && (action.failsAtMs ?? nowMs + 1) <= nowMs;
      const found = mayHaveFailed ? [status, "FAILED"] : [status];
      return found.map((one) => ({ status: 409, details: { status: one } }));
    }
    if (on === "reject") {
      const keep = () => void Object.assign(action, { status: "REJECTED" });
      return [{ status: 200, body: { status: "REJECTED", rejectionReason: reason }, keep }];
    }
    const quote = this.state.quotes.find(({ id }) => id === job.quoteId);
    const isHindered =
      agent.isPaused ||
      !agent.policy.permissions.includes(this.asked(job).permission) ||
      this.denialOf(agent, job) !== undefined ||
      (quote && this.stateOf(quote) !== undefined);
    return (isHindered ? (["POOR"] as const) : this.endings(job)).map((ending) => ({
      status: 200,
      body: { status: ending === "DONE" ? "APPROVED" : "FAILED" },
      hasTransaction: ending !== "POOR",
      keep: () => this.perform(action, ending),
    }));
  }

  /** Executes an agent's quote as the platform: no policy is asked and no usage counted. */
  private pay(quoteId: string): Expected[] {
    const quote = this.state.quotes.find(({ id }) => id === quoteId);
    if (!quote) return [refused(404, "QUOTE_NOT_FOUND")];
    const problem = this.stateOf(quote);
    if (problem) return [problem];
    return this.endings(quote.job).map((ending) =>
      ending === "POOR"
        ? { status: 400 }
        : { status: 200, body: { status: "PROCESSING" }, keep: () => this.move(quote.job) },
    );
  }
}

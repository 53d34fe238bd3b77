import { type ConnectedAgent, connectAgent } from "../../../setup/agents.ts";
import { usdAccount } from "../../../setup/banks.ts";
import { createPayer, mxnAccount } from "../../../setup/platform.ts";
import {
  type Answer,
  startTestSimulator,
  type TestSimulator,
} from "../../../setup/test-simulator.ts";
import { accountCase, creationBody } from "../../setup/account-bodies.ts";
import type { Account } from "./adversary-fates.ts";
import { FIRST_RATES, type Rates } from "./adversary-money.ts";
import { inShort, isByAgent, type Move, type Policy, requestOf } from "./adversary-moves.ts";
import { unused } from "./adversary-policy.ts";
import { Referee } from "./adversary-referee.ts";
import { copyOf, differs, passTime, type State } from "./adversary-state.ts";

/** Internal accounts of a customer with their first balances. */
const INSIDE = {
  usd: { currency: "USD", fundMinor: 60_000 },
  savings: { currency: "USD", fundMinor: 20_000 },
  usdc: { currency: "USDC", fundMinor: 300_000_000 },
  eur: { currency: "EUR", fundMinor: 30_000 },
  vnd: { currency: "VND", fundMinor: 5_000_000 },
} as const;

const outside = (currency: string, accountInfo: object) => ({ currency, accountInfo });
const ofType = (type: string) =>
  outside(accountCase(type).currency, creationBody(accountCase(type)).accountInfo);

/** External accounts of a customer; the ending decides the outcome of payments. */
const OUTSIDE = {
  bank: outside("USD", usdAccount("999")),
  "refusing bank": outside("USD", usdAccount("002")),
  "slowly failing bank": outside("USD", usdAccount("005")),
  mexican: outside("MXN", mxnAccount("999")),
  "failing mexican": outside("MXN", mxnAccount("002")),
  "euro bank": ofType("EUR_ACCOUNT"),
  "vnd bank": ofType("VND_ACCOUNT"),
  "usdc wallet": { ...ofType("SOLANA_WALLET"), currency: "USDC" },
} as const;

const SUFFIXES: Record<string, string> = {
  "refusing bank": "002",
  "slowly failing bank": "005",
  "failing mexican": "002",
};

export type AccountName = keyof typeof INSIDE | keyof typeof OUTSIDE;
export const INSIDE_NAMES = Object.keys(INSIDE) as (keyof typeof INSIDE)[];
export const OUTSIDE_NAMES = Object.keys(OUTSIDE) as (keyof typeof OUTSIDE)[];

/** A move with its answer, in the order in which the platform took them. */
export interface Fact {
  move: Move;
  answer: Answer;
  requestId: string;
  atMs: number;
  rates: Rates;
}

/** Customers of the agents of a run: two agents of the first, one of the second. */
export const CUSTOMER_OF_AGENT = [0, 0, 1] as const;

const orders = <T>(items: readonly T[]): T[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((first, at) =>
        orders(items.filter((_, other) => other !== at)).map((rest) => [first, ...rest]),
      );

/** Two customers with their agents, and the referee's view of all they do. */
export class AdversaryWorld {
  readonly accounts = new Map<string, Account>();
  readonly agents: ConnectedAgent[] = [];
  readonly customers: string[] = [];
  readonly facts: Fact[] = [];
  readonly story: string[] = [];
  /** Requests that brought in the first money. */
  readonly fundings = new Set<string>();
  /** Policies that the agents were made with. */
  readonly firstPolicies: Policy[] = [];
  state: State;
  /** Postings of the ledger before the run. */
  postingsBefore = 0;
  readonly sim: TestSimulator;

  constructor(sim: TestSimulator, startMs: number) {
    this.sim = sim;
    this.state = {
      nowMs: startMs,
      rates: FIRST_RATES,
      agents: [],
      actions: [],
      quotes: [],
      balances: {},
      coming: [],
      answers: new Map(),
    };
  }

  async open() {
    await this.sim.control("POST", "/clock/advance", {
      to: new Date(this.state.nowMs).toISOString(),
    });
    await this.setRates({ EUR: null, USDC: null, VND: null, MXN: null });
    const { body } = await this.sim.control("GET", "/ledger?limit=1");
    this.postingsBefore = body.postings.length + Number(body.nextCursor ?? 0);
    for (const customer of [0, 1]) {
      const payer = await createPayer(this.sim, 0);
      this.customers.push(payer.customerId);
      this.add({
        id: payer.accountId,
        name: "usd",
        customer,
        currency: "USD",
        isInside: true,
        isPullable: true,
      });
      await this.fund(payer.accountId, INSIDE.usd.fundMinor);
    }
    return this;
  }

  async hire(agent: number, policy: Policy) {
    const customer = CUSTOMER_OF_AGENT[agent] as number;
    const connected = await connectAgent(this.sim, this.customers[customer] as string, policy);
    this.agents.push(connected);
    this.firstPolicies.push(policy);
    const usage = unused(this.state.nowMs);
    this.state.agents.push({
      id: connected.id,
      customer,
      isPaused: false,
      isDeleted: false,
      policy,
      usage,
    });
    this.story.push(
      `agent ${agent} of customer ${customer}: ${this.named(JSON.stringify(policy))}`,
    );
  }

  private add(account: Account) {
    this.accounts.set(account.id, account);
    if (account.isInside) this.state.balances[account.id] = 0n;
    return account;
  }

  private async fund(accountId: string, amount: number) {
    const path = `/sandbox/internal-accounts/${accountId}/fund`;
    const { status, headers, body } = await this.sim.call("POST", path, { amount });
    if (status !== 200) throw new Error(`Expected money but found ${JSON.stringify(body)}`);
    this.fundings.add(headers.get("x-sim-request-id") ?? "");
    this.state.balances[accountId] = BigInt(amount);
  }

  /** An account of a customer by its name, opened when it is first needed. */
  async account(customer: number, name: AccountName): Promise<Account> {
    for (const known of this.accounts.values())
      if (known.customer === customer && known.name === name) return known;
    const customerId = this.customers[customer] as string;
    if (name in OUTSIDE) {
      const input = OUTSIDE[name as keyof typeof OUTSIDE];
      const made = await this.sim.call("POST", "/customers/external-accounts", {
        customerId,
        ...input,
      });
      if (made.status !== 201)
        throw new Error(`Expected ${name} but found ${JSON.stringify(made.body)}`);
      return this.add({
        id: made.body.id,
        name,
        customer,
        currency: input.currency,
        isInside: false,
        suffix: SUFFIXES[name] ?? "999",
        isPullable: name !== "usdc wallet",
      });
    }
    const { currency, fundMinor } = INSIDE[name as keyof typeof INSIDE];
    const { body } = await this.sim.control("POST", "/internal-accounts", { customerId, currency });
    const account = this.add({
      id: body.id,
      name,
      customer,
      currency,
      isInside: true,
      isPullable: true,
    });
    await this.fund(account.id, fundMinor);
    return account;
  }

  private send(move: Move): Promise<Answer> {
    const { method, path, body } = requestOf(
      move,
      this.state.agents.map(({ id }) => id),
    );
    if (!isByAgent(move)) return this.sim.call(method, path, body);
    const headers = move.key === undefined ? {} : { "idempotency-key": move.key };
    return (this.agents[move.agent] as ConnectedAgent).call(method, path, body, headers);
  }

  /** Replaces ids with names that a reader knows. */
  named(text: string) {
    const { actions, quotes } = this.state;
    const names: [string | undefined, string][] = [
      ...[...this.accounts.values()].map(({ id, name, customer }): [string, string] => [
        id,
        `${name} of ${customer}`,
      ]),
      ...actions.map(({ id }, at): [string | undefined, string] => [id, `action ${at}`]),
      ...quotes.map(({ id }, at): [string, string] => [id, `quote ${at}`]),
    ];
    return names.reduce(
      (told, [id, name]) => (id === undefined ? told : told.replaceAll(id, name)),
      text,
    );
  }

  private tell(moves: readonly Move[], answers: readonly Answer[]) {
    const at = new Date(this.state.nowMs).toISOString();
    const lines = moves.map(
      (move, nth) => `${JSON.stringify(move)} -> ${inShort(answers[nth] as Answer)}`,
    );
    const head = moves.length > 1 ? `${at} at once:\n    ` : `${at} `;
    this.story.push(this.named(head + lines.join("\n    ")));
  }

  /** Sends moves at once, and lets the referee find an order that explains the answers. */
  async play(...moves: Move[]) {
    const answers = await Promise.all(moves.map((move) => this.send(move)));
    const published = await this.publishedAgents(moves);
    this.tell(moves, answers);
    const problems: string[] = [];
    for (const order of orders(moves.map((_, at) => at))) {
      const state = copyOf(this.state);
      const problem =
        this.explain({ state, order, moves, answers }) ?? this.agentProblem(state, published);
      problems.push(...(problem ? [problem] : []));
      if (problem) continue;
      const { nowMs: atMs, rates } = state;
      this.state = state;
      for (const at of order) {
        const [move, answer] = [moves[at] as Move, answers[at] as Answer];
        const requestId = answer.headers.get("x-sim-request-id") ?? "";
        this.facts.push({ move, answer, requestId, atMs, rates });
      }
      await this.learnIds();
      return;
    }
    throw this.failure(
      `${problems[0]}${moves.length > 1 ? ", and no other order explains it" : ""}`,
    );
  }

  private explain({
    state,
    order,
    moves,
    answers,
  }: {
    state: State;
    order: readonly number[];
    moves: readonly Move[];
    answers: readonly Answer[];
  }): string | undefined {
    const referee = new Referee(state, this.accounts);
    for (const at of order) {
      const answer = answers[at] as Answer;
      const expected = referee.expects(moves[at] as Move);
      const right = expected.find((one) => differs(one, answer) === undefined);
      if (!right) {
        const wanted = expected.map((one) => differs(one, answer)).join(" or ");
        const found = `${answer.status} ${JSON.stringify(answer.body)}`;
        return `Expected ${wanted} but found ${found}`;
      }
      right.keep?.(answer);
    }
    return undefined;
  }

  private async publishedAgents(moves: readonly Move[]) {
    const involved = new Set(moves.flatMap((move) => ("agent" in move ? [move.agent] : [])));
    const ids = [...involved].map((agent) => this.state.agents[agent]?.id);
    return Promise.all(ids.map((id) => this.sim.call("GET", `/agents/${id}`)));
  }

  /** The difference between agents as the platform shows them and as the referee expects them. */
  agentProblem(state: State, published: readonly Answer[]): string | undefined {
    const referee = new Referee(state, this.accounts);
    for (const { status, body } of published) {
      const agent = state.agents.find(({ id }) => id === (body.id ?? body.details?.id));
      const problem =
        agent && differs(referee.shows(agent), { status, body, headers: new Headers() });
      if (problem) return `Expected an agent with ${problem} but found ${JSON.stringify(body)}`;
    }
    return undefined;
  }

  /** Learns the ids of the actions of quotes that were executed at once. */
  private async learnIds() {
    for (const action of this.state.actions) {
      if (action.id !== undefined) continue;
      const { id: agentId } = this.state.agents[action.agent] as { id: string };
      const { body } = await (this.agents[action.agent] as ConnectedAgent).call(
        "GET",
        "/agents/me/actions?limit=100",
      );
      const found = body.data?.find(
        ({ quote }: { quote?: { id: string } }) => quote?.id === action.job.quoteId,
      );
      if (found) action.id = found.id;
      else if (body.data)
        throw this.failure(`Expected ${agentId} to have an action for ${action.job.quoteId}`);
      else action.id = "AgentAction:of-a-deleted-agent";
    }
  }

  async setRates(perUsd: Record<string, string | null>) {
    await this.sim.control("PUT", "/rates", { perUsd });
    const set = Object.entries(perUsd).map(([code, rate]) => [code, rate ?? FIRST_RATES[code]]);
    this.state.rates = { ...this.state.rates, ...Object.fromEntries(set) };
    this.story.push(`rates ${JSON.stringify(perUsd)}`);
  }

  /** Moves the clock, and applies everything that is due on the way. */
  async advance(toMs: number) {
    const to = new Date(toMs).toISOString();
    const { status, body } = await this.sim.control("POST", "/clock/advance", { to });
    if (status !== 200) throw this.failure(`Expected ${to} but found ${JSON.stringify(body)}`);
    passTime(this.state, toMs);
  }

  failure(message: string) {
    return new Error(`${this.named(message)}\n\nWhat was done:\n${this.story.join("\n")}\n`);
  }
}

const RUNS_PER_SIMULATOR = 100;
/** Years between runs, so that leap years come in the same place for each. */
const YEARS_PER_RUN = 4;

/** Gives each run a world. One simulator serves many runs, each some years after the last. */
export class Arena {
  private sim: TestSimulator | undefined;
  private runs = 0;

  /** @param start day and time of a year, such as `01-31T23:59:59.000Z` */
  async world(start: string): Promise<AdversaryWorld> {
    if (this.runs >= RUNS_PER_SIMULATOR) await this.close();
    this.sim ??= await startTestSimulator();
    const year = 2026 + YEARS_PER_RUN * this.runs++;
    return new AdversaryWorld(this.sim, Date.parse(`${year}-${start}`)).open();
  }

  /** Ends the simulator; the next run gets another one. */
  async close() {
    await this.sim?.sim.close();
    this.sim = undefined;
    this.runs = 0;
  }
}

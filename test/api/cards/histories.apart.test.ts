import fc from "fast-check";
import { expect, test } from "vitest";
import { runsOf } from "../../setup/campaign.ts";
import { type Answer, startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { expectErrorShape } from "../setup/refused.ts";
import { ledgerOwn } from "../setup/told.ts";
import {
  CardModel,
  type ModelAccount,
  type ModelCard,
  type ModelPayment,
} from "./setup/card-model.ts";
import {
  createCardholder,
  fund,
  getCard,
  issueCard,
  openAccount,
  patchCard,
  tryAuthorize,
  tryClear,
  tryReturn,
} from "./setup/card-world.ts";

/**
 * Environment of a longer campaign: `CARD_HISTORIES=500 CARD_SEED=1 npx vitest run <this file>`.
 */
const { CARD_HISTORIES, CARD_SEED } = process.env;
const RUNS = Number(CARD_HISTORIES ?? runsOf(500, 6));
const SEED = Number(CARD_SEED ?? 20_260_105);

/** The next step; its numbers choose the card, the payment and the amount. */
interface Step {
  act: "authorize" | "clear" | "return" | "patch" | "operatorClose" | "account" | "fund" | "wait";
  on: number;
  how: number;
  amount: number;
}

const weighted = (act: Step["act"], weight: number) => ({ arbitrary: fc.constant(act), weight });

const stepOf: fc.Arbitrary<Step> = fc.record({
  act: fc.oneof(
    weighted("authorize", 30),
    weighted("clear", 30),
    weighted("return", 18),
    weighted("patch", 8),
    weighted("operatorClose", 1),
    weighted("account", 4),
    weighted("fund", 4),
    weighted("wait", 5),
  ),
  on: fc.nat({ max: 1_000 }),
  how: fc.nat({ max: 1_000 }),
  amount: fc.integer({ min: 1, max: 4_000 }),
});

const ENDINGS = ["BOOKS", "BOOKS", "BOOKS", "BOOKS", "005", "005", "002", "003", "006"];
const WAITS_MS = [1, 9_999, 15_000, 30_000];

/** A history in progress: the simulator, the model beside it, and their common names. */
class History {
  readonly cards: ModelCard[] = [];
  readonly ids = new Map<ModelPayment, string>();
  readonly endings = new Map<ModelPayment, string>();
  readonly world: TestSimulator;
  readonly model: CardModel;

  constructor(world: TestSimulator, accounts: ModelAccount[]) {
    this.world = world;
    this.model = new CardModel(accounts);
  }

  /** A holder with two accounts in cents and two in millionths, and a card on each pair. */
  static async open(): Promise<History> {
    const world = await startTestSimulator();
    const { customerId, usdId, walletId } = await createCardholder(world);
    const open = (currency: string) => openAccount(world, { customerId, currency });
    const account = async (id: string, currency: string, funded: number) => {
      await fund(world, id, funded);
      return { id, currency, funded: BigInt(funded), isFrozen: false };
    };
    const cents = [
      await account(usdId, "USD", 5_000),
      await account(await open("USD"), "USD", 9_000),
    ];
    const micros = [
      await account(walletId, "USDB", 50_000_000),
      await account(await open("USDB"), "USDB", 90_000_000),
    ];
    const history = new History(world, [...cents, ...micros]);
    for (const sources of [cents, micros]) {
      const [firstSource] = sources as [ModelAccount];
      const fundingSources = sources.map(({ id }) => id);
      const { id } = await issueCard(world, { cardholderId: customerId, fundingSources });
      const { currency } = firstSource;
      history.cards.push({ id, currency, state: "ACTIVE", sources, firstSource });
    }
    return history;
  }

  async play(step: Step) {
    const card = this.cards[step.on % this.cards.length] as ModelCard;
    if (step.act === "authorize") await this.authorize(card, step);
    if (step.act === "clear" || step.act === "return") await this.follow(step);
    if (step.act === "patch") await this.patch(card, step);
    if (step.act === "operatorClose") await this.operatorClose(card);
    if (step.act === "account") await this.setAccount(step);
    if (step.act === "fund") await this.fund(step);
    if (step.act === "wait") await this.wait(WAITS_MS[step.how % WAITS_MS.length] ?? 1);
  }

  private async authorize(card: ModelCard, { how, amount: cents }: Step) {
    const ending = ENDINGS[how % ENDINGS.length] ?? "";
    const currency = how % 2 === 0 ? "USD" : "USDC";
    const amount = currency === "USD" ? cents : cents * 10_000 - (how % 7) * 3_333;
    if (amount <= 0) return;
    const descriptor = `SHOP ${ending}`;
    const answer = await tryAuthorize(this.world, card.id, { amount, currency, descriptor });
    const payment = this.model.authorize(card, { amount: BigInt(amount), currency, ending });
    this.ids.set(payment, answer.body.id);
    this.endings.set(payment, ending);
    this.show(payment, answer);
  }

  /** Clears or returns nothing, one unit, half of the rest, all of it, or more. */
  private async follow({ act, on, how }: Step) {
    const { payments } = this.model;
    const payment = payments[on % Math.max(1, payments.length)];
    if (!payment) return;
    const { authorized, cleared, returned } = payment;
    const left = act === "clear" ? authorized - cleared : cleared - returned;
    const rest = left > 0n ? left : 1n;
    const amount = [0n, 1n, rest / 2n + 1n, rest, rest + rest / 2n + 1n][how % 5] ?? 0n;
    const one = { id: this.ids.get(payment) ?? "", cardId: payment.card.id };
    const isTaken =
      act === "clear"
        ? this.model.clear(payment, amount, this.endings.get(payment) ?? "")
        : this.model.giveBack(payment, amount);
    const simulate = act === "clear" ? tryClear : tryReturn;
    const answer = await simulate(this.world, one, Number(amount));
    if (isTaken) return this.show(payment, answer);
    expect([answer.status, answer.body.code]).toEqual([
      400,
      expect.stringMatching(/^INVALID_(INPUT|AMOUNT)$/),
    ]);
    expectErrorShape(answer);
  }

  private async patch(card: ModelCard, { how }: Step) {
    const state = (["FROZEN", "ACTIVE", "ACTIVE", "CLOSED", "SOURCES"] as const)[how % 5];
    const sources = [...card.sources].reverse();
    const body = state === "SOURCES" ? { fundingSources: sources.map(({ id }) => id) } : { state };
    const answer = await patchCard(this.world, card.id, body);
    const isClosed = card.state === "CLOSED";
    // A closed card has no sources to name, and a frozen account cannot be named.
    if (state === "SOURCES" && (isClosed || sources.some(({ isFrozen }) => isFrozen)))
      return expect(answer.status).toBe(400);
    if (isClosed || state === card.state) return expect(answer.status).toBe(409);
    expect(answer.status).toBe(200);
    if (state === "CLOSED") this.model.close(card);
    else if (state === "SOURCES") {
      card.sources = sources;
      card.firstSource = sources[0] as ModelAccount;
    } else if (state) card.state = state;
  }

  private async operatorClose(card: ModelCard) {
    const { status } = await this.world.control("POST", `/cards/${card.id}/close`);
    expect(status).toBe(card.state === "CLOSED" ? 409 : 200);
    if (status === 200) this.model.close(card);
  }

  private accountOf({ on }: Step) {
    return this.model.accounts[on % this.model.accounts.length] as ModelAccount;
  }

  private async setAccount(step: Step) {
    const account = this.accountOf(step);
    account.isFrozen = !account.isFrozen;
    const status = account.isFrozen ? "FROZEN" : "ACTIVE";
    await this.world.control("PATCH", `/internal-accounts/${account.id}`, { status });
  }

  private async fund(step: Step) {
    const account = this.accountOf(step);
    if (account.isFrozen) return;
    await fund(this.world, account.id, step.amount);
    account.funded += BigInt(step.amount);
  }

  private async wait(ms: number) {
    await this.world.control("POST", "/clock/advance", { by: `${ms}ms` });
    this.model.advance(ms);
  }

  /** Asserts that a reply shows the payment as the model has it. */
  private show(payment: ModelPayment, { status, body }: Answer) {
    expect(status, JSON.stringify(body)).toBe(200);
    const { pulls, settlements, refunds } = payment;
    const pulled = pulls.reduce((total, one) => total + one, 0n);
    expect({
      status: body.status,
      declineCode: body.declineCode,
      accountId: body.accountId,
      pullSummary: body.pullSummary,
      settlementSummary: body.settlementSummary,
      refundSummary: body.refundSummary,
      authorized: body.authorizedAmount.amount,
      settled: body.settledAmount?.amount ?? 0,
      refunded: body.refundedAmount?.amount ?? 0,
    }).toEqual({
      status: payment.status,
      declineCode: payment.declineCode,
      accountId: payment.account.id,
      pullSummary: {
        count: pulls.length,
        totalAmount: Number(pulled),
        pendingCount: payment.pendingUntilMs.length,
      },
      settlementSummary: { count: settlements, totalAmount: Number(this.model.settled(payment)) },
      refundSummary: { count: refunds, totalAmount: Number(payment.refunded) },
      authorized: Number(payment.authorized),
      settled: Number(payment.cleared),
      refunded: Number(payment.returned),
    });
  }

  /** Asserts that the books balance, accounts match the model, and ended payments hold nothing. */
  async check() {
    const { world, model } = this;
    expect(world.alarms).toEqual([]);
    const { body } = await world.control("GET", "/ledger");
    expect(Object.values(body.totals).filter((total) => total !== 0)).toEqual([]);
    const entries = body.balances as { account: string; amount: number }[];
    const found = new Map(entries.map(({ account, amount }) => [account, amount]));
    for (const account of model.accounts) {
      const balance = Number(model.balance(account));
      expect(balance).toBeGreaterThanOrEqual(0);
      expect(found.get(account.id)).toBe(balance);
    }
    const own = await ledgerOwn(world);
    const wanted = ["USD", "USDB"].flatMap((currency) =>
      Object.entries(model.ledger(currency)).map(
        ([name, amount]) => [`Ledger:${name} ${currency}`, Number(amount)] as const,
      ),
    );
    expect(own).toEqual(Object.fromEntries(wanted.filter(([, amount]) => amount !== 0)));
    for (const payment of model.payments)
      if (!["AUTHORIZED", "PARTIALLY_SETTLED"].includes(payment.status))
        expect(model.held(payment)).toBe(0n);
    for (const card of this.cards) {
      const { state, fundingSources } = await getCard(world, card.id);
      expect([state, fundingSources]).toEqual([card.state, card.sources.map(({ id }) => id)]);
    }
  }
}

const shownSteps = (steps: readonly Step[]) => steps.map((step) => JSON.stringify(step)).join("\n");

test(
  "whatever is done with two cards in whatever order, money and summaries are as the model says",
  async () => {
    const statuses = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(stepOf, { minLength: 20, maxLength: 60, size: "max" }),
        async (steps) => {
          const history = await History.open();
          try {
            for (const [at, step] of steps.entries())
              try {
                await history.play(step);
                await history.check();
              } catch (error) {
                const done = shownSteps(steps.slice(0, at + 1));
                throw new Error(`${(error as Error).message}\nafter:\n${done}`, { cause: error });
              }
            for (const { status } of history.model.payments) statuses.add(status);
          } finally {
            await history.world.sim.close();
          }
        },
      ),
      { numRuns: RUNS, seed: SEED, endOnFailure: CARD_HISTORIES === undefined },
    );
    expect([...statuses].sort()).toEqual([
      "AUTHORIZED",
      "DECLINED",
      "EXCEPTION",
      "PARTIALLY_SETTLED",
      "REFUNDED",
      "SETTLED",
    ]);
  },
  120_000 + RUNS * 5_000,
);

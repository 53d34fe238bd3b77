import { cpSync, readdirSync } from "node:fs";
import { expect } from "vitest";
import { QUOTED_PAYMENT_OUTCOMES } from "../../../src/domain/outcomes/outcomes.ts";
import { usdAccount } from "../../setup/banks.ts";
import { createPayer, mxnAccount, type Payer } from "../../setup/platform.ts";
import { Receiver } from "../../setup/receiver.ts";
import {
  type Answer,
  type Parsed,
  startTestSimulator,
  type TestSimulator,
} from "../../setup/test-simulator.ts";
import { reopen } from "../../storage/setup/reopen.ts";
import { StateDirectory } from "../../storage/setup/state-directory.ts";
import { allEnded } from "../../webhooks/setup/greeted.ts";
import { answered, answering } from "./incoming.ts";
import { accountIn } from "./payment-parties.ts";

/** Every ending that a quoted payment's row names, and two that no table names. */
export const SUFFIXES = [
  ...Object.keys(QUOTED_PAYMENT_OUTCOMES).filter((row) => row !== "otherwise"),
  "998",
  "999",
];

/** Opening balance of each customer's account. */
const FUNDED_AT_FIRST = 200_000;
/** Opening balance of each customer's wallet: 5000 dollars, in millionths. */
const WALLET_FUNDED_AT_FIRST = 5_000_000_000;

/** Currencies of each customer's accounts. */
const HELD = ["USD", "USDC", "USDB"];

/** An external account, made when it is first needed. */
export interface Outside {
  id: string;
  suffix: string;
}

/** The facts of a quote that decide its end. */
export interface MadeQuote {
  id: string;
  transactionId: string;
  kind: "internal" | "pull" | "justInTime" | "wallet";
  /** Ending of the account that is pulled from. */
  from?: string;
  /**
   * Ending of the payee's account, or local part of a sandbox person; absent for an internal
   * account.
   */
  to?: string;
  /** Another amount arrived than the quote's total. */
  isMismatch?: boolean;
  /** Number of successful starts, at most one. */
  starts: number;
}

/** A lookup of a UMA address. */
export interface MadeLookup {
  id: string;
  umaAddress: string;
}

/** The facts of an incoming UMA payment that decide its end. */
export interface Receipt {
  /** The sending sandbox person. */
  sender: string;
  customerId: string;
  currency: string;
  amount: number;
  /** HTTP status of the answer to the approval request. */
  answer: number;
  /** The call that decided before any answer. */
  call?: "approve" | "reject";
  /** Ending of the default deposit account at approval; absent for an internal account. */
  deposit?: string;
}

/** Acceptable statuses of a refusal: never a bug, a stopped world or a missing feature. */
const REFUSED = [400, 403, 404, 409];

/**
 * A world on file storage with a receiver of webhooks, and a model of it. The model is compared
 * with the world after each command.
 */
export class SequenceWorld {
  readonly receiver = new Receiver();
  readonly customers: Payer[] = [];
  /** Internal USD accounts: the customers', then the platform's. */
  readonly accounts: string[] = [];
  /** The customers' USDB accounts. */
  readonly wallets: string[] = [];
  /** The customers' UMA addresses. */
  readonly addresses: string[] = [];
  readonly quotes: MadeQuote[] = [];
  /** Expected status and refund of transactions without a quote, such as `FAILED COMPLETED`. */
  readonly ends = new Map<string, string>();
  /** Amounts of sandbox funding, by account. */
  readonly funded = new Map<string, number>();
  /** Internal account behind an address of a transaction, by address and currency. */
  readonly umaAccounts = new Map<string, string>();
  readonly lookups: MadeLookup[] = [];
  /** Incoming UMA payments, by transaction. */
  readonly receipts = new Map<string, Receipt>();
  /** Current default deposit account of each customer; all hold USD. */
  readonly deposits = new Map<string, Outside>();
  /** Internal accounts that are not ACTIVE. */
  readonly blocked = new Set<string>();
  readonly deletedCustomers = new Set<string>();
  /** Number of external accounts opened so far; each has a number of its own. */
  opened = 0;
  /** Answer to the next approval request. */
  nextAnswer = 200;
  /** Answer to each approval request; a request that comes again gets the same one. */
  private readonly answers = new Map<string, number>();
  /** Each transaction as last seen. */
  readonly seen = new Map<string, Parsed>();
  /** Number of kills; an event in transit at a kill comes again. */
  kills = 0;
  private directory = new StateDirectory();
  private readonly outside = new Map<string, Outside>();
  private simulator: TestSimulator | undefined;

  get sim(): TestSimulator {
    if (!this.simulator) throw new Error("Expected the world to be open");
    return this.simulator;
  }

  async open(): Promise<this> {
    await this.receiver.start();
    this.receiver.behaviour = answering((event, response, count) => {
      const { id } = event.data;
      const answer = this.answers.get(id) ?? this.nextAnswer;
      this.answers.set(id, answer);
      return answered(answer)(event, response, count);
    });
    this.simulator = await startTestSimulator({ storage: this.directory.url });
    for (let customer = 0; customer < 2; customer += 1) {
      const payer = await createPayer(this.sim, FUNDED_AT_FIRST);
      this.customers.push(payer);
      this.funded.set(payer.accountId, FUNDED_AT_FIRST);
      await this.learn(payer);
    }
    this.accounts.push(...this.customers.map(({ accountId }) => accountId));
    this.accounts.push(await accountIn(this.sim, "USD"));
    await this.sim.call("PATCH", "/config", { webhookEndpoint: this.receiver.url });
    await allEnded(this.sim);
    return this;
  }

  /** Notes a customer's address and accounts, and fills its wallet. */
  private async learn({ customerId }: Payer) {
    const { umaAddress } = (await this.sim.call("GET", `/customers/${customerId}`)).body;
    this.addresses.push(umaAddress);
    for (const currency of HELD) {
      const accountId = await accountIn(this.sim, currency, customerId);
      this.umaAccounts.set(`${umaAddress} ${currency}`, accountId);
      if (currency === "USDB") this.wallets.push(accountId);
    }
    const wallet = this.wallets.at(-1) ?? "";
    await this.post(`/sandbox/internal-accounts/${wallet}/fund`, {
      amount: WALLET_FUNDED_AT_FIRST,
    });
    this.funded.set(wallet, WALLET_FUNDED_AT_FIRST);
  }

  /** Stops the world cleanly and opens its state again. */
  async restart() {
    expect(this.sim.alarms).toEqual([]);
    await this.sim.sim.close();
    this.simulator = await reopen(this.directory);
  }

  /**
   * Opens the state that a kill at this moment would leave: the files as they are. No further event
   * of the killed world arrives.
   */
  async kill() {
    const left = new StateDirectory();
    const leave = (names: readonly string[]) => {
      for (const name of names)
        cpSync(this.directory.file(name), left.file(name), { recursive: true });
    };
    leave(["worlds"]);
    const told = this.receiver.received.length;
    await allEnded(this.sim);
    await this.sim.sim.close();
    this.receiver.received.length = told;
    // Locks remain too, but their owner counts as dead only now.
    leave(readdirSync(this.directory.path).filter((name) => name.startsWith("lock.")));
    this.directory.remove();
    this.directory = left;
    this.simulator = await reopen(left);
    this.kills += 1;
  }

  async close() {
    await this.simulator?.sim.close();
    await this.receiver.stop();
    this.directory.remove();
  }

  /** Calls the platform; the answer must be a documented one. */
  async post(path: string, body?: object): Promise<Answer> {
    return this.documented(await this.sim.call("POST", path, body));
  }

  /** Executes a quote; the signature counts where a wallet pays it. */
  async execute(quoteId: string): Promise<Answer> {
    const headers = { "service-wallet-signature": "sandbox-valid-signature" };
    return this.documented(await this.sim.raw("POST", `/quotes/${quoteId}/execute`, { headers }));
  }

  private documented(answer: Answer) {
    if (answer.status >= 300) expect(REFUSED).toContain(answer.status);
    return answer;
  }

  /** An external account of a customer, or of the platform for the number after the last. */
  async external(owner: number, currency: "USD" | "MXN", suffix: string): Promise<Outside> {
    const customerId = this.customers[owner]?.customerId;
    const name = `${customerId} ${currency} ${suffix}`;
    const known = this.outside.get(name);
    if (known) return known;
    const scope = customerId === undefined ? "platform" : "customers";
    const { status, body } = await this.post(`/${scope}/external-accounts`, {
      ...(customerId !== undefined && { customerId }),
      currency,
      accountInfo: currency === "USD" ? usdAccount(suffix) : mxnAccount(suffix),
    });
    // A deleted customer gets no new account.
    const made = { id: status === 201 ? body.id : "ExternalAccount:none", suffix };
    this.outside.set(name, made);
    return made;
  }

  /** Deletes an external account, so that the next use makes another one. */
  async forget(choose: (names: readonly string[]) => string | undefined) {
    const name = choose([...this.outside.keys()]);
    const known = name === undefined ? undefined : this.outside.get(name);
    if (name === undefined || !known) return;
    const scope = name.startsWith("undefined ") ? "platform" : "customers";
    await this.sim.call("DELETE", `/${scope}/external-accounts/${known.id}`);
    this.outside.delete(name);
  }
}

import { cpSync, readdirSync } from "node:fs";
import { expect } from "vitest";
import { reopen } from "../../runtime/setup/reopen.ts";
import { StateDirectory } from "../../runtime/setup/state-directory.ts";
import { usdAccount } from "../../setup/banks.ts";
import { createPayer, mxnAccount, type Payer } from "../../setup/platform.ts";
import { Receiver } from "../../setup/receiver.ts";
import {
  type Answer,
  type Parsed,
  startTestSimulator,
  type TestSimulator,
} from "../../setup/test-simulator.ts";
import { allEnded } from "../../webhooks/setup/greeted.ts";
import { answered, answering } from "./incoming.ts";
import { accountIn } from "./payment-parties.ts";

/** Every ending that a row of some table has, and two that none has. */
export const SUFFIXES = ["002", "003", "004", "005", "006", "007", "998", "999"] as const;

/** What each customer's account holds before anything is done. */
const FUNDED_AT_FIRST = 200_000;
/** What each customer's wallet holds then: 5000 dollars, in millionths. */
const WALLET_FUNDED_AT_FIRST = 5_000_000_000;

/** What a customer has accounts in. */
const HELD = ["USD", "USDC", "USDB"];

/** An account outside, made when it is first needed. */
export interface Outside {
  id: string;
  suffix: string;
}

/** What a quote was made for, as far as its end depends on it. */
export interface MadeQuote {
  id: string;
  transactionId: string;
  kind: "internal" | "pull" | "justInTime" | "wallet";
  /** Ending of what is pulled from. */
  from?: string;
  /** Ending of what is paid, or who it is at the sandbox's UMA domain; none inside. */
  to?: string;
  /** Another amount was sent than was asked for. */
  isMismatch?: boolean;
  /** How often it was started; once at most. */
  starts: number;
}

/** A lookup of a UMA address. */
export interface MadeLookup {
  id: string;
  umaAddress: string;
}

/** A UMA payment that comes in, as far as its end depends on it. */
export interface Receipt {
  /** Who sends it, of the sandbox's people. */
  sender: string;
  customerId: string;
  currency: string;
  amount: number;
  /** HTTP status that the approval request is answered with. */
  answer: number;
  /** The call that decided before any answer did. */
  call?: "approve" | "reject";
  /** Ending of the default deposit account that it was approved for; none inside. */
  deposit?: string;
}

/** What a refusal may be: never a bug, a stop or something that is not there yet. */
const REFUSED = [400, 403, 404, 409];

/**
 * A world on file storage whose webhooks are received, and what a test knows of it without asking:
 * the model that it is compared with after each command.
 */
export class SequenceWorld {
  readonly receiver = new Receiver();
  readonly customers: Payer[] = [];
  /** USD accounts inside: the customers', then the platform's. */
  readonly accounts: string[] = [];
  /** The customers' USDB accounts. */
  readonly wallets: string[] = [];
  /** The customers' UMA addresses. */
  readonly addresses: string[] = [];
  readonly quotes: MadeQuote[] = [];
  /** Status and refund that a transaction of no quote must end with, as `FAILED COMPLETED`. */
  readonly ends = new Map<string, string>();
  /** What came in through the sandbox's funding, by account. */
  readonly funded = new Map<string, number>();
  /** The internal account that an address of a transaction stands for, by address and currency. */
  readonly umaAccounts = new Map<string, string>();
  readonly lookups: MadeLookup[] = [];
  /** The UMA payments that came in, by transaction. */
  readonly receipts = new Map<string, Receipt>();
  /** The default deposit account that each customer has now; all hold USD. */
  readonly deposits = new Map<string, Outside>();
  /** Accounts inside that are not ACTIVE. */
  readonly blocked = new Set<string>();
  readonly deletedCustomers = new Set<string>();
  /** How many of those were opened so far: each has a number of its own. */
  opened = 0;
  /** What the next payment's approval request is answered with. */
  nextAnswer = 200;
  /** What each was answered with: whoever is asked again says the same. */
  private readonly answers = new Map<string, number>();
  /** What each transaction showed when it was last looked at. */
  readonly seen = new Map<string, Parsed>();
  /** How often it was killed: what was being told then is told again. */
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

  /** Stops it cleanly and opens its state again. */
  async restart() {
    expect(this.sim.alarms).toEqual([]);
    await this.sim.sim.close();
    this.simulator = await reopen(this.directory);
  }

  /**
   * Opens what a kill at this moment would leave behind: the files as they are, and nothing told
   * of what the killed one would still have said.
   */
  async kill() {
    const left = new StateDirectory();
    const leave = (names: readonly string[]) => {
      for (const name of names)
        cpSync(this.directory.file(name), left.file(name), { recursive: true });
    };
    leave(["journal", "identity.json"]);
    const told = this.receiver.received.length;
    await allEnded(this.sim);
    await this.sim.sim.close();
    this.receiver.received.length = told;
    // Locks stay behind too; only now is nobody said to hold them.
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

  /** Calls the platform; whatever it says must be one of its documented answers. */
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

  /** An account outside of a customer, or of the platform for the number after the last. */
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
    // Of a deleted customer none can be made any more.
    const made = { id: status === 201 ? body.id : "ExternalAccount:none", suffix };
    this.outside.set(name, made);
    return made;
  }

  /** Deletes one of those, so that the next time another one is made. */
  async forget(choose: (names: readonly string[]) => string | undefined) {
    const name = choose([...this.outside.keys()]);
    const known = name === undefined ? undefined : this.outside.get(name);
    if (name === undefined || !known) return;
    const scope = name.startsWith("undefined ") ? "platform" : "customers";
    await this.sim.call("DELETE", `/${scope}/external-accounts/${known.id}`);
    this.outside.delete(name);
  }
}

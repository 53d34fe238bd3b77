import type { Generated, SeedProgress } from "../../contract/control/seed.ts";
import { END_USER_TERMS } from "../../contract/customers/end-user-terms.ts";
import { CURRENCIES, type CurrencyCode, isCurrencyCode } from "../../contract/money/currencies.ts";
import type { QuoteStatus } from "../../contract/payments/quotes.ts";
import type { Generate } from "../../contract/platform/generate.ts";
import { createCustomerExternalAccount } from "../../domain/accounts/external-accounts.ts";
import { fundInternalAccount } from "../../domain/accounts/internal-accounts.ts";
import {
  all,
  find,
  HEX,
  instant,
  type Moment,
  type Rule,
  type View,
} from "../../domain/core/draft.ts";
import { platformConfig } from "../../domain/core/platform-config.ts";
import { setCustomerStatus, statusOf } from "../../domain/customers/customer-status.ts";
import { createCustomer, presentCustomerByPath } from "../../domain/customers/customers.ts";
import { asksConsent } from "../../domain/customers/end-user-terms.ts";
import { createQuote } from "../../domain/payments/quote-creation.ts";
import { executeQuote } from "../../domain/payments/quote-execution.ts";
import { ownerKey } from "../../domain/records/tables.ts";
import { nextTurn } from "../../machine/host-time.ts";
import type { Engine } from "../../runtime/engine.ts";
import { ScriptProblem } from "../../scripts/script-problem.ts";
import { Chance } from "./generate-chance.ts";
import { nameOf, payeeOf } from "./generate-people.ts";
import { type Job, planOf } from "./generate-plan.ts";
import { PastDraft } from "./past-draft.ts";

/** A customer who can pay, and the payees it has so far, by their suffix. */
interface Payer {
  id: string;
  serial: number;
  accountId: string;
  payees: Map<string, string>;
}

/** The amounts of payments, in the currency of the payers. */
interface Money {
  currency: CurrencyCode;
  leastMinor: number;
  mostMinor: number;
}

/** Endings of a payee's number that bring a quote to a state; any other ending completes it. */
const SUFFIXES: Partial<Record<QuoteStatus, string>> = { FAILED: "002", PROCESSING: "003" };
const USUAL_SUFFIX = "500";

const WORTH_MINOR = { least: 1_000, most: 200_000 } as const;

/** A payer whose balance is too small gets the worth of 20 payments. */
const FUNDED_PAYMENTS = 20;

/** Jobs of one turn of the event loop, which are written together. */
const JOBS_A_TURN = 50;

const BASE_16 = 16;

const invalid = (path: (string | number)[], expected: string, found: string) =>
  new ScriptProblem("refused", { path: ["generate", ...path], expected, found });

/** The currency that generated customers pay in: US dollars, or the first the platform sends. */
const moneyOf = (view: View): Money => {
  const sent = platformConfig(view).supportedCurrencies.filter(
    ({ currencyCode, enabledTransactionTypes }) =>
      isCurrencyCode(currencyCode) &&
      CURRENCIES[currencyCode].kind === "fiat" &&
      enabledTransactionTypes.includes("OUTGOING"),
  );
  const chosen = sent.find(({ currencyCode }) => currencyCode === "USD") ?? sent[0];
  if (!chosen)
    throw invalid(["quotes"], "a platform that sends a national currency", "one that sends none");
  return {
    currency: chosen.currencyCode as CurrencyCode,
    leastMinor: Math.max(chosen.minAmount, Math.min(WORTH_MINOR.least, chosen.maxAmount)),
    mostMinor: Math.min(chosen.maxAmount, Math.max(WORTH_MINOR.most, chosen.minAmount)),
  };
};

const accountOf = (view: View, customerId: string, currency: string) =>
  find(view, "InternalAccount", ["byOwner", ownerKey({ customerId })]).find(
    (account) => account.currency === currency && account.status === "ACTIVE",
  )?.id;

/** The consent that a world asks for, so that customers have accounts; else nothing. */
const consentIn = (view: View, { atMs }: Moment) =>
  asksConsent(view) && {
    endUserTermsConsent: {
      acceptedAt: instant(atMs),
      ipAddress: "203.0.113.7",
      termsVersion: END_USER_TERMS.version,
      acceptanceMethod: "CHECKBOX" as const,
    },
  };

/** Makes the jobs of a plan happen, each as one change. */
class Generation {
  readonly report: Generated = { customers: 0, externalAccounts: 0, quotes: 0 };
  private readonly engine: Engine;
  private readonly chance: Chance;
  private readonly money: Money | undefined;
  private readonly payers: Payer[];
  private serial: number;

  constructor(engine: Engine, chance: Chance, generate: Generate) {
    this.engine = engine;
    this.chance = chance;
    this.serial = engine.state.count("ExternalAccount");
    this.money = generate.quotes?.count ? moneyOf(engine.state) : undefined;
    this.payers = this.money && !generate.customers?.count ? this.known(this.money) : [];
  }

  /** Customers of the world who can pay; asked when none are made. */
  private known({ currency }: Money): Payer[] {
    const { state } = this.engine;
    return all(state, "Customer").flatMap((customer) => {
      const accountId = accountOf(state, customer.id, currency);
      const isReady = !customer.isDeleted && statusOf(customer) === "APPROVED";
      return isReady && accountId !== undefined ? [this.payer(customer.id, accountId)] : [];
    });
  }

  private payer(id: string, accountId: string): Payer {
    this.serial += 1;
    return { id, accountId, serial: this.serial, payees: new Map() };
  }

  /**
   * Refuses what no job could be made of, before the first one is.
   * @throws ScriptProblem
   */
  requirePayers(jobs: readonly Job[]) {
    const isPayer = (job: Job) => job.kind === "customers" && job.state === "APPROVED";
    if (this.money && this.payers.length === 0 && !jobs.some(isPayer))
      throw invalid(["quotes"], "an approved customer to pay them", "none");
  }

  make(job: Job) {
    if (job.kind === "customers") this.commit(this.customer(job));
    else this.commit(this.quote(job));
  }

  private commit(rule: (draft: PastDraft) => void) {
    const happened: Rule<void, void> = (draft, _input, moment) => {
      const past = new PastDraft(draft, moment);
      rule(past);
      past.catchUp();
    };
    this.engine.commit(happened, undefined, { cause: "generate", by: "generate" });
  }

  private customer({ atMs, state }: Extract<Job, { kind: "customers" }>) {
    const fullName = nameOf(this.chance);
    return (past: PastDraft) => {
      const moment = past.at(atMs);
      const body = { customerType: "INDIVIDUAL", fullName, region: "US" } as const;
      const { id } = createCustomer(
        past,
        { body: { ...body, ...consentIn(past, moment) } },
        moment,
      );
      const customer = presentCustomerByPath(past, { params: { customerId: id } }, moment);
      setCustomerStatus(past, { customer, status: state }, moment);
      this.report.customers += 1;
      if (state !== "APPROVED" || !this.money) return;
      const accountId = accountOf(past, id, this.money.currency);
      if (accountId !== undefined) this.payers.push(this.payer(id, accountId));
    };
  }

  private quote({ atMs, state }: Extract<Job, { kind: "quotes" }>) {
    const { money, payers, chance } = this;
    if (!money || payers.length === 0)
      throw invalid(["quotes"], "an approved customer to pay them", "none");
    const payer = chance.of(payers);
    const amountMinor = chance.between(money.leastMinor, money.mostMinor);
    return (past: PastDraft) => {
      const moment = past.at(atMs);
      const accountId = this.payeeOf(past, { payer, suffix: SUFFIXES[state] }, moment);
      const { id, totalSendingAmount } = createQuote(
        past,
        {
          body: {
            source: { sourceType: "ACCOUNT", accountId: payer.accountId },
            destination: { destinationType: "ACCOUNT", accountId },
            lockedCurrencySide: "SENDING",
            lockedCurrencyAmount: amountMinor,
          },
        },
        moment,
      );
      this.report.quotes += 1;
      if (state === "EXPIRED" || state === "PENDING") return;
      this.fund(past, { payer, neededMinor: totalSendingAmount, money }, moment);
      const call = { method: "POST", path: `/quotes/${id}/execute` };
      executeQuote(past, { params: { quoteId: id }, call }, moment).apply(past, moment);
    };
  }

  private payeeOf(
    past: PastDraft,
    { payer, suffix = USUAL_SUFFIX }: { payer: Payer; suffix: string | undefined },
    moment: Moment,
  ): string {
    const known = payer.payees.get(suffix);
    if (known !== undefined) return known;
    const body = payeeOf(payer.id, { serial: payer.serial, suffix }, this.chance);
    const { id } = createCustomerExternalAccount(past, { body }, moment);
    payer.payees.set(suffix, id);
    this.report.externalAccounts += 1;
    return id;
  }

  private fund(
    past: PastDraft,
    { payer, neededMinor, money }: { payer: Payer; neededMinor: number; money: Money },
    moment: Moment,
  ) {
    const { accountId } = payer;
    if (past.balanceMinor(accountId, money.currency) >= BigInt(neededMinor)) return;
    const body = { amount: FUNDED_PAYMENTS * money.mostMinor };
    fundInternalAccount(past, { params: { accountId }, body }, moment);
  }
}

/** Seeds the numbers with the world's own: the same world gets the same records. */
const chanceFor = (engine: Engine): Chance => {
  let drawn = "";
  engine.read((_view, _input, moment) => {
    drawn = moment.draw("generate", 8, HEX);
  }, undefined);
  return new Chance(Number.parseInt(drawn, BASE_16));
};

const prepared = (engine: Engine, generate: Generate) => {
  const chance = chanceFor(engine);
  const jobs = planOf(generate, engine.catchUp(), chance);
  const generation = new Generation(engine, chance, generate);
  generation.requirePayers(jobs);
  return { jobs, generation };
};

/**
 * Refuses records that a world cannot have, and makes none.
 * @throws ScriptProblem when the world has nobody to pay, or the platform sends nothing
 */
export const requireGeneratable = (engine: Engine, generate: Generate) => {
  prepared(engine, generate);
};

/** Hooks of a generation. */
export interface GenerationHooks {
  /** Told after each turn. */
  onProgress?: (progress: SeedProgress) => void;
  /** Makes one turn's records. */
  turn?: (make: () => void) => void;
  /** Resolves when what was made can be told; before it, no further records are made. */
  kept?: () => Promise<void> | undefined;
}

/**
 * Makes records in bulk, with a plausible past, by the rules that calls run
 * (spec/scenarios.md#generated-data). Other work gets its turn in between.
 * @throws ScriptProblem when the world has nobody to pay, or the platform sends nothing
 */
export const generateInto = async (
  engine: Engine,
  generate: Generate,
  { onProgress = () => {}, turn = (make) => make(), kept = () => undefined }: GenerationHooks = {},
): Promise<Generated> => {
  const { jobs, generation } = prepared(engine, generate);
  for (let done = 0; done < jobs.length; done += JOBS_A_TURN) {
    const slice = jobs.slice(done, done + JOBS_A_TURN);
    turn(() => {
      for (const job of slice) generation.make(job);
    });
    await kept();
    onProgress({ done: done + slice.length, total: jobs.length });
    await nextTurn();
  }
  return generation.report;
};

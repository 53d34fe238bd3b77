import type { Kind } from "../../../src/domain/records/records.ts";
import { usdAccount } from "../../setup/banks.ts";
import { mxnAccount } from "../../setup/platform.ts";
import { type Call, type Parsed, singlyMade } from "./call.ts";
import type { Chance } from "./chance.ts";
import { MOST_MINOR } from "./product.ts";
import { endCustomer, oneOf, oneThat, type WorldModel } from "./world-model.ts";

/** A client, and all that it has at hand when it makes a call. */
export interface Client {
  world: string;
  model: WorldModel;
  chance: Chance;
  /** Simulated epoch milliseconds. */
  nowMs(): number;
  /** A new idempotency key. */
  nextKey(): string;
  /** Ids of the world's records of a kind, as an operator sees them in lists. */
  ids(kind: Kind): readonly string[];
  /** Accounts are filled to the brim. */
  isFull: boolean;
  /** Minor units that an account holds. */
  held(accountId: string): number;
  /** Attempts of a webhook so far. */
  attempts(webhookId: string): number;
  /** Names of the keys that an issuer shows now; nothing when it does not answer. */
  keySet(): readonly string[] | undefined;
  /** A token that another world made, and that this one does not have. */
  foreignToken(): string | undefined;
  /** True where nothing interrupts calls: no crash, no fault of the disk, no lost answer. */
  isCalm: boolean;
  /** Ids of incoming payments that wait for a decision. */
  waitingPayments(): readonly string[];
}

export type MakeCall = (client: Client) => Call | undefined;

/** Calls that a client makes right after another one, half of the time. */
export const FOLLOWING = new Map<string, MakeCall>();

export const platform = (world: string, call: Omit<Call, "surface" | "world">): Call => ({
  surface: "platform",
  world,
  ...call,
});

const SUFFIXES = ["999", "001", "002", "003", "004", "005", "006", "007"];
export const AMOUNTS = [1_000, 2_500, 25_000, 400_000];

export const mxn = (suffix: string) => ({ currency: "MXN", accountInfo: mxnAccount(suffix) });

const usd = (suffix: string) => ({ currency: "USD", accountInfo: usdAccount(suffix) });

/** Takes over the success of a call with a key, also when it is sent again. */
export const doneOf = (operation: string, path: string): Call["done"] => {
  if (operation === "createQuote" || operation === "agentCreateQuote")
    return (known, { id, transactionId, totalSendingAmount: totalMinor }) => {
      known.quotes[id] ??= { transactionId, isExecuted: false, totalMinor };
    };
  if (operation === "executeQuote")
    return (known) => {
      const quote = known.quotes[path.split("/")[2] as string];
      if (quote) quote.isExecuted = true;
    };
  if (operation === "transferIn" || operation === "transferOut")
    return (known, { id, status }) => {
      known.statuses[id] ??= status;
    };
  return undefined;
};

export const doing = (operation: string, path: string) => {
  const done = doneOf(operation, path);
  return done ? { done } : {};
};

/** A record that a cut-off call may have made: one that the model does not know. */
const unknownOf = (known: Record<string, unknown>, ids: readonly string[]) =>
  ids.find((id) => !(id in known));

const takeAccount = (model: WorldModel, accountId: string, customerId: string) => {
  model.accounts[accountId] ??= { customerId, fundedMinor: 0 };
};

const createCustomer: MakeCall = ({ world }) =>
  platform(world, {
    operation: "createCustomer",
    method: "POST",
    path: "/customers",
    body: { customerType: "INDIVIDUAL", fullName: "Ada Byron" },
    expects: [201],
    done: (model, { id }) => {
      model.customers[id] = { id, isDeleted: false };
    },
    learn: (model, found) => {
      const id = unknownOf(model.customers, singlyMade(found));
      if (id !== undefined) model.customers[id] = { id, isDeleted: false };
    },
  });

export const present = ({ isDeleted }: { isDeleted: boolean }) => !isDeleted;

const listAccounts: MakeCall = ({ world, model, chance }) => {
  const customerId = oneThat(model.customers, chance, present);
  if (customerId === undefined) return undefined;
  return platform(world, {
    operation: "listCustomerInternalAccounts",
    method: "GET",
    path: `/customers/internal-accounts?customerId=${customerId}&currency=USD`,
    expects: [200],
    done: (known, { data }) => {
      const account = data.find(({ balance }: Parsed) => balance.currency.code === "USD");
      if (account) takeAccount(known, account.id, customerId);
    },
  });
};

const deleteCustomer: MakeCall = ({ world, model, chance }) => {
  const customerId = chance.oneIn(3) ? oneThat(model.customers, chance, present) : undefined;
  if (customerId === undefined) return undefined;
  const remove = (known: WorldModel) => {
    const customer = known.customers[customerId];
    if (customer) customer.isDeleted = true;
    endCustomer(known, customerId);
  };
  return platform(world, {
    operation: "deleteCustomer",
    method: "DELETE",
    path: `/customers/${customerId}`,
    // Another call may delete it meanwhile.
    expects: [200, 204, 404, 409, 410],
    done: remove,
    learn: (known, found) => {
      if (found.get("Customer", customerId)?.isDeleted) remove(known);
    },
  });
};

const patchCustomer: MakeCall = ({ world, model, chance }) => {
  const customerId = oneOf(model.customers, chance);
  if (customerId === undefined) return undefined;
  return platform(world, {
    operation: "patchCustomer",
    method: "PATCH",
    path: `/customers/${customerId}`,
    body: { customerType: "INDIVIDUAL", fullName: chance.pick(["Ada King", "Ada Lovelace"]) },
    expects: [200, 202, 400, 404, 409],
  });
};

const kycLink: MakeCall = ({ world, model, chance, nextKey }) => {
  const customerId = oneThat(model.customers, chance, present);
  if (customerId === undefined) return undefined;
  return platform(world, {
    operation: "createKycLink",
    method: "POST",
    path: `/customers/${customerId}/kyc-link`,
    body: { redirectUri: "https://shop.example/done" },
    key: nextKey(),
    expects: [200, 201, 400, 403, 404, 409],
  });
};

const fund: MakeCall = ({ world, model, chance, held, isFull }) => {
  const accountId = oneOf(model.accounts, chance);
  if (accountId === undefined) return undefined;
  // A full account takes no refund.
  const rest = MOST_MINOR - held(accountId);
  const amount = rest > 0 && isFull ? rest : chance.pick([50_000, 120_000, 1_000_000]);
  const credit = (known: WorldModel) => {
    const account = known.accounts[accountId];
    if (account) account.fundedMinor += amount;
  };
  return platform(world, {
    operation: "fundInternalAccount",
    method: "POST",
    path: `/sandbox/internal-accounts/${accountId}/fund`,
    body: { amount },
    expects: [200, 400, 403, 404, 409],
    done: credit,
    learn: (known, found) => {
      if (found.excessMinor(accountId) >= amount) credit(known);
    },
  });
};

const externalAccount =
  (group: "payees" | "banks"): MakeCall =>
  ({ world, model, chance }) => {
    const customerId = oneThat(model.customers, chance, present);
    if (customerId === undefined) return undefined;
    const suffix = chance.pick(SUFFIXES);
    const take = (known: WorldModel, id: string) => {
      known[group][id] = { customerId, isDeleted: false };
    };
    const currency = group === "payees" ? "MXN" : "USD";
    return platform(world, {
      operation: "createCustomerExternalAccount",
      method: "POST",
      path: "/customers/external-accounts",
      body: { customerId, ...(group === "payees" ? mxn(suffix) : usd(suffix)) },
      expects: [200, 201, 400, 403, 404, 409],
      done: (known, { id }) => take(known, id),
      learn: (known, found) => {
        const all = found.ids("ExternalAccount").filter((id) => {
          const record = found.get("ExternalAccount", id);
          return record.currency === currency && record.customerId === customerId;
        });
        const id = unknownOf(known[group], all);
        if (id !== undefined) take(known, id);
      },
    });
  };

const deleteExternalAccount: MakeCall = ({ world, model, chance }) => {
  const id = chance.oneIn(3) ? oneThat(model.payees, chance, present) : undefined;
  if (id === undefined) return undefined;
  const remove = (known: WorldModel) => {
    const payee = known.payees[id];
    if (payee) payee.isDeleted = true;
  };
  return platform(world, {
    operation: "deleteCustomerExternalAccount",
    method: "DELETE",
    path: `/customers/external-accounts/${id}`,
    expects: [200, 204, 404, 409],
    done: remove,
    learn: (known, found) => {
      if (found.get("ExternalAccount", id) === undefined) remove(known);
    },
  });
};

const createQuote: MakeCall = ({ world, model, chance, nextKey }) => {
  const from = oneOf(model.accounts, chance);
  if (from === undefined) return undefined;
  const { customerId } = model.accounts[from] as { customerId: string };
  const own = oneThat(model.payees, chance, (payee) => payee.customerId === customerId);
  const to = own ?? oneOf(model.payees, chance);
  if (to === undefined) return undefined;
  return platform(world, {
    operation: "createQuote",
    method: "POST",
    path: "/quotes",
    body: {
      source: { sourceType: "ACCOUNT", accountId: from },
      destination: { destinationType: "ACCOUNT", accountId: to },
      lockedCurrencySide: "SENDING",
      lockedCurrencyAmount: chance.pick(AMOUNTS),
    },
    key: nextKey(),
    expects: [201, 400, 403, 404, 409],
    ...doing("createQuote", "/quotes"),
  });
};

const executeQuote: MakeCall = ({ world, model, chance, nextKey }) => {
  const id = oneThat(model.quotes, chance, ({ isExecuted }) => !isExecuted || chance.oneIn(4));
  if (id === undefined) return undefined;
  const path = `/quotes/${id}/execute`;
  return platform(world, {
    operation: "executeQuote",
    method: "POST",
    path,
    key: nextKey(),
    expects: [200, 400, 403, 404, 409],
    ...doing("executeQuote", path),
  });
};

const transfer =
  (direction: "in" | "out"): MakeCall =>
  ({ world, model, chance, nextKey }) => {
    const accountId = oneOf(model.accounts, chance);
    if (accountId === undefined) return undefined;
    const { customerId } = model.accounts[accountId] as { customerId: string };
    const bankId = oneThat(model.banks, chance, (bank) => bank.customerId === customerId);
    if (bankId === undefined) return undefined;
    const operation = direction === "out" ? "transferOut" : "transferIn";
    const [from, to] = direction === "out" ? [accountId, bankId] : [bankId, accountId];
    return platform(world, {
      operation,
      method: "POST",
      path: `/transfer-${direction}`,
      body: {
        source: { accountId: from },
        destination: { accountId: to },
        amount: chance.pick(AMOUNTS),
      },
      key: nextKey(),
      expects: [200, 201, 400, 403, 404, 409],
      ...doing(operation, ""),
    });
  };

const READS: readonly (readonly [string, string])[] = [
  ["listTransactions", "/transactions"],
  ["listCustomers", "/customers"],
  ["listExchangeRates", "/exchange-rates"],
  ["listCards", "/cards"],
  ["listAgents", "/agents"],
  ["listAgentApprovals", "/agents/approvals"],
  ["listTokens", "/tokens"],
  ["getConfig", "/config"],
  ["listPlatformInternalAccounts", "/platform/internal-accounts"],
  ["listCustomerExternalAccounts", "/customers/external-accounts"],
  ["listDiscoveries", "/discoveries"],
  ["listUmaProviders", "/uma-providers"],
  ["listDocuments", "/documents"],
  ["listVerifications", "/verifications"],
  ["listPlatformExternalAccounts", "/platform/external-accounts"],
];

const read: MakeCall = ({ world, chance }) => {
  const [operation, path] = chance.pick(READS);
  return platform(world, { operation, method: "GET", path, expects: [200] });
};

const readOne: MakeCall = ({ world, model, chance }) => {
  const all: readonly (readonly [string, string | undefined, string])[] = [
    ["getCustomer", oneOf(model.customers, chance), "/customers/"],
    ["getQuote", oneOf(model.quotes, chance), "/quotes/"],
    ["getCard", oneOf(model.cards, chance), "/cards/"],
    ["getAgent", oneThat(model.agents, chance, present), "/agents/"],
    ["getTransaction", oneOf(model.statuses, chance), "/transactions/"],
    ["getToken", oneThat(model.tokens, chance, present), "/tokens/"],
    [
      "getCustomerExternalAccount",
      oneThat(model.payees, chance, present),
      "/customers/external-accounts/",
    ],
  ];
  const [operation, id, path] = chance.pick(all);
  if (id === undefined) return undefined;
  const isGone = model.customers[id]?.isDeleted ?? false;
  const expects = isGone ? [200, 404] : [200];
  return platform(world, { operation, method: "GET", path: path + id, expects });
};

/** Calls that make a customer with money, whom others can be paid by. */
export const FIRST_CALLS: readonly MakeCall[] = [
  createCustomer,
  listAccounts,
  fund,
  externalAccount("payees"),
  externalAccount("banks"),
];

/** Calls of platforms that pay, with how often each is made. */
export const PAYING_CALLS: readonly (readonly [weight: number, make: MakeCall])[] = [
  [6, createCustomer],
  [8, listAccounts],
  [1, deleteCustomer],
  [2, patchCustomer],
  [1, kycLink],
  [10, fund],
  [6, externalAccount("payees")],
  [4, externalAccount("banks")],
  [1, deleteExternalAccount],
  [14, createQuote],
  [14, executeQuote],
  [6, transfer("out")],
  [6, transfer("in")],
  [6, read],
  [6, readOne],
];

import { FOLLOWING, type MakeCall, platform, present } from "./platform-calls.ts";
import { oneOf, oneThat } from "./world-model.ts";

const createCard: MakeCall = ({ world, model, chance }) => {
  const accountId = oneOf(model.accounts, chance);
  const account = accountId === undefined ? undefined : model.accounts[accountId];
  if (accountId === undefined || !account) return undefined;
  return platform(world, {
    operation: "createCard",
    method: "POST",
    path: "/cards",
    body: { cardholderId: account.customerId, form: "VIRTUAL", fundingSources: [accountId] },
    expects: [200, 201, 400, 403, 404, 409],
    done: (known, { id }) => {
      known.cards[id] = { accountId, transactions: [] };
    },
  });
};

const MERCHANTS = ["NORTH PIER BOOKS", "NORTH PIER BOOKS 001", "CAFE 002", "CAFE 003"];

const authorize: MakeCall = ({ world, model, chance }) => {
  const id = oneOf(model.cards, chance);
  if (id === undefined) return undefined;
  return platform(world, {
    operation: "simulateCardAuthorization",
    method: "POST",
    path: `/sandbox/cards/${id}/simulate/authorization`,
    body: {
      amount: chance.pick([500, 2_000]),
      currency: { code: "USD" },
      merchant: { descriptor: chance.pick(MERCHANTS) },
    },
    expects: [200, 201, 400, 404, 409],
    done: (known, body) => {
      known.cards[id]?.transactions.push(body.id);
    },
  });
};

const moveMoney =
  (what: "clearing" | "return"): MakeCall =>
  ({ world, model, chance }) => {
    const id = oneThat(model.cards, chance, ({ transactions }) => transactions.length > 0);
    if (id === undefined) return undefined;
    return platform(world, {
      operation: what === "clearing" ? "simulateCardClearing" : "simulateCardReturn",
      method: "POST",
      path: `/sandbox/cards/${id}/simulate/${what}`,
      body: {
        cardTransactionId: chance.pick(model.cards[id]?.transactions ?? []),
        amount: chance.pick([500, 1_000, 2_000]),
      },
      expects: [200, 201, 400, 404, 409, 422],
    });
  };

const freeze: MakeCall = ({ world, model, chance }) => {
  const id = oneOf(model.cards, chance);
  if (id === undefined) return undefined;
  return platform(world, {
    operation: "patchCard",
    method: "PATCH",
    path: `/cards/${id}`,
    body: { state: chance.pick(["FROZEN", "ACTIVE", "CLOSED"]) },
    expects: [200, 202, 400, 404, 409],
  });
};

/** Calls that make a card. */
export const FIRST_CARD_CALLS: readonly MakeCall[] = [createCard];

/** Calls of a cardholder and of the card network. */
export const CARD_CALLS: readonly (readonly [weight: number, make: MakeCall])[] = [
  [4, createCard],
  [8, authorize],
  [6, moveMoney("clearing")],
  [4, moveMoney("return")],
  [2, freeze],
];

export const createToken: MakeCall = ({ world, chance }) => {
  const permissions = chance.pick([["VIEW"], ["TRANSACT"], ["MANAGE"], ["VIEW", "TRANSACT"]]);
  return platform(world, {
    operation: "createToken",
    method: "POST",
    path: "/tokens",
    body: { name: "ci", permissions },
    expects: [201],
    done: (known, { id, clientId, clientSecret }) => {
      const as = `Basic ${btoa(`${clientId}:${clientSecret}`)}`;
      known.tokens[id] = { id, as, permissions, isDeleted: false };
    },
  });
};

const deleteToken: MakeCall = ({ world, model, chance }) => {
  const newest = Object.keys(model.tokens).at(-1);
  const id = chance.oneIn(2) ? newest : oneThat(model.tokens, chance, present);
  if (id === undefined || model.tokens[id]?.isDeleted) return undefined;
  return platform(world, {
    operation: "deleteToken",
    method: "DELETE",
    path: `/tokens/${id}`,
    expects: [200, 204, 404],
    done: (known) => {
      const token = known.tokens[id];
      if (token) token.isDeleted = true;
    },
    learn: (known, found) => {
      const token = known.tokens[id];
      if (token && found.get("ApiToken", id) === undefined) token.isDeleted = true;
    },
  });
};

/** A call with a token of few permissions, which must be admitted or refused by them alone. */
const withToken: MakeCall = ({ world, model, chance }) => {
  const deleted = oneThat(model.tokens, chance, ({ isDeleted }) => isDeleted);
  const id = chance.oneIn(2) ? deleted : oneOf(model.tokens, chance);
  const token = id === undefined ? undefined : model.tokens[id];
  if (!token) return undefined;
  const [needed, operation, method, path, body] = chance.pick([
    ["VIEW", "listCustomers", "GET", "/customers", undefined],
    ["VIEW", "getConfig", "GET", "/config", undefined],
    ["TRANSACT", "transferOut", "POST", "/transfer-out", {}],
    ["MANAGE", "patchConfig", "PATCH", "/config", {}],
    ["MANAGE", "patchConfig", "PATCH", "/config", { embeddedWalletConfig: { appName: "Pocket" } }],
  ] as const);
  const isAdmitted = needed === "VIEW" || token.permissions.includes(needed);
  const admitted = operation === "transferOut" ? [400] : [200];
  return platform(world, {
    operation,
    method,
    path,
    ...(body && { body }),
    as: token.as,
    expects: token.isDeleted ? [400, 401] : isAdmitted ? admitted : [403],
  });
};

/** A call with the token that was made last. */
export const withNewestToken: MakeCall = ({ world, model }) => {
  const token = Object.values(model.tokens).at(-1);
  return (
    token &&
    platform(world, {
      operation: "listCustomers",
      method: "GET",
      path: "/customers",
      as: token.as,
      expects: token.isDeleted ? [400, 401] : [200],
    })
  );
};

/** A call with the token that was made last, which its permissions alone admit. */
const manage: MakeCall = ({ world, model }) => {
  const token = Object.values(model.tokens).at(-1);
  if (!token || token.isDeleted) return undefined;
  return platform(world, {
    operation: "patchConfig",
    method: "PATCH",
    path: "/config",
    body: {},
    as: token.as,
    expects: token.permissions.includes("MANAGE") ? [200] : [403],
  });
};

/** A call with a token that only another world has. */
export const withForeignToken: MakeCall = ({ world, foreignToken }) => {
  const as = foreignToken();
  if (as === undefined) return undefined;
  return platform(world, {
    operation: "listCustomers",
    method: "GET",
    path: "/customers",
    as,
    expects: [400, 401],
  });
};

FOLLOWING.set("createToken", manage);
FOLLOWING.set("deleteToken", withNewestToken);

/** Calls of those who hand out access. */
export const TOKEN_CALLS: readonly (readonly [weight: number, make: MakeCall])[] = [
  [2, createToken],
  [2, deleteToken],
  [6, withToken],
  [5, withForeignToken],
];

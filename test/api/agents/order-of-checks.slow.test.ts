import { beforeEach, describe, expect, test } from "vitest";
import { transferInput } from "../../setup/banks.ts";
import { quoteInput } from "../../setup/platform.ts";
import type { Answer } from "../../setup/test-simulator.ts";
import { expectNothing, type Refused } from "../setup/refused.ts";
import { goTo } from "../setup/told.ts";
import { preparedOnce, worldPerTest } from "../setup/world-per-test.ts";
import {
  type AgentParties,
  askQuote,
  createAgentParties,
  executeQuote,
} from "./setup/agent-parties.ts";

const world = worldPerTest();
let parties: AgentParties;

const agentParties = preparedOnce((one) => createAgentParties(one));

beforeEach(async () => {
  parties = await agentParties(world());
});

const patch = (part: object) => world().call("PATCH", `/agents/${parties.agent.id}`, part);
const setPolicy = (part: object) =>
  world().call("PATCH", `/agents/${parties.agent.id}/policy`, part);

/** One mistake, the way to make it, and its refusal when it stands alone. */
interface Wrong {
  says: string;
  /** Brings the mistake about before the call. */
  make?: () => Promise<unknown>;
  /** Puts the mistake into the body of the call. */
  spoil?: (body: Record<string, unknown>) => unknown;
  refused: Refused;
}

const forbidden = (reason: string): Refused => ({ status: 403, code: "FORBIDDEN", reason });

const paused: Wrong = {
  says: "a pause",
  make: () => patch({ isPaused: true }),
  refused: forbidden("AGENT_PAUSED"),
};
const unpermitted: Wrong = {
  says: "a permission",
  make: () => setPolicy({ permissions: [] }),
  refused: forbidden("PERMISSION_DENIED"),
};
const unready: Wrong = {
  says: "a customer that is not ready",
  make: () =>
    world().control("PATCH", `/customers/${parties.payer.customerId}`, { kycStatus: "REJECTED" }),
  refused: { status: 403, code: "USER_NOT_READY" },
};
const frozen = (field: string): Wrong => ({
  says: "a frozen account",
  make: () =>
    world().control("PATCH", `/internal-accounts/${parties.payer.accountId}`, {
      status: "FROZEN",
    }),
  refused: { status: 400, code: "INVALID_INPUT", reason: "ACCOUNT_NOT_ACTIVE", field },
});
const unlisted: Wrong = {
  says: "the list of accounts",
  make: () => setPolicy({ accountRestrictions: { allowedAccountIds: [] } }),
  refused: forbidden("ACCOUNT_NOT_ALLOWED"),
};

const limited = (limits: object, word: string): Wrong => ({
  says: word,
  make: () => setPolicy({ spendingLimits: limits }),
  refused: forbidden(`${word}_EXCEEDED`),
});

const LIMITS = [
  limited({ perTransactionLimit: 1 }, "PER_TRANSACTION_LIMIT"),
  limited({ dailyTransactionLimit: 0 }, "DAILY_TRANSACTION_LIMIT"),
  limited({ dailyLimit: 1 }, "DAILY_LIMIT"),
  limited({ monthlyLimit: 1 }, "MONTHLY_LIMIT"),
];

const code = (word: string, field: string): Refused => ({ status: 400, code: word, field });

/**
 * Every mistake of a transfer out, in the order of the checks
 * (spec/agent-actions.md#agent-transfers).
 */
const TRANSFER: Wrong[] = [
  {
    says: "no JSON",
    spoil: () => "{",
    refused: { status: 400, code: "INVALID_REQUEST_FORMAT" },
  },
  paused,
  unpermitted,
  {
    says: "an ill-typed amount",
    spoil: (body) => ({ ...body, amount: "5" }),
    refused: code("INVALID_INPUT", "amount"),
  },
  {
    says: "an unknown account",
    spoil: (body) => ({ ...body, destination: { accountId: "ExternalAccount:none" } }),
    refused: {
      status: 400,
      code: "INVALID_INPUT",
      reason: "ACCOUNT_NOT_FOUND",
      field: "destination.accountId",
    },
  },
  frozen("source.accountId"),
  unready,
  {
    says: "another currency",
    spoil: (body) => ({ ...body, destination: { accountId: parties.mexican } }),
    refused: code("INVALID_CURRENCY", "destination.accountId"),
  },
  unlisted,
  ...LIMITS,
];

const sendTransfer = (spoil: Wrong["spoil"] = (body) => body): Promise<Answer> => {
  const { agent, payer, bank } = parties;
  const body = spoil(transferInput(payer.accountId, bank, 25_000));
  return world().raw("POST", "/agents/me/transfer-out", {
    headers: {
      authorization: `Bearer ${agent.accessToken}`,
      "content-type": "application/json",
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
};

/**
 * Each mistake with the one that is checked next: checks in another order have two neighbors in
 * the wrong order. And each with the last one, for checks that skip those between.
 */
const pairsOf = (all: readonly Wrong[]) => {
  const last = all.at(-1) as Wrong;
  const pairs = all.flatMap((one, at) =>
    [...new Set([all[at + 1] ?? one, last])].map((two) => ({ one, two })),
  );
  return pairs
    .filter(({ one, two }) => one !== two)
    .map(({ one, two }) => ({ first: one.says, second: two.says, one, two }));
};

/** Spoils the body with the later mistake first, so that the earlier one remains. */
const bothSpoilt = (one: Wrong, two: Wrong) => (body: Record<string, unknown>) => {
  const spoilt = two.spoil?.(body) ?? body;
  return one.spoil?.(spoilt as Record<string, unknown>) ?? spoilt;
};

describe("a transfer out", () => {
  test.each(TRANSFER)("is refused for $says", async ({ make, spoil, refused }) => {
    await make?.();
    await expectNothing(world(), () => sendTransfer(spoil), refused);
  });

  test.each(pairsOf(TRANSFER))("for $first before $second", async ({ one, two }) => {
    await two.make?.();
    await one.make?.();
    await expectNothing(world(), () => sendTransfer(bothSpoilt(one, two)), one.refused);
  });
});

/**
 * Mistakes of executing a quote, in the order of the checks
 * (spec/agent-actions.md#quote-execution).
 */
const EXECUTION: Wrong[] = [
  paused,
  unpermitted,
  frozen("source.accountId"),
  unready,
  unlisted,
  ...LIMITS,
  {
    says: "an expired quote",
    make: () => goTo(world(), "09:05:00.000"),
    refused: { status: 409, code: "CONFLICT", reason: "QUOTE_EXPIRED" },
  },
];

describe("an execution", () => {
  test.each(EXECUTION)("is refused for $says", async ({ make, refused }) => {
    const { id } = (await askQuote(parties)).body;
    await make?.();
    await expectNothing(world(), () => executeQuote(parties, id), refused);
  });

  test.each(pairsOf(EXECUTION))("for $first before $second", async ({ one, two }) => {
    const { id } = (await askQuote(parties)).body;
    await two.make?.();
    await one.make?.();
    await expectNothing(world(), () => executeQuote(parties, id), one.refused);
  });

  test("of an unknown quote is 404 before the pause is checked", async () => {
    await patch({ isPaused: true });
    const refused = { status: 404, code: "QUOTE_NOT_FOUND" };
    await expectNothing(world(), () => executeQuote(parties, "Quote:none"), refused);
  });
});

/**
 * Mistakes of a quote that is executed at once, in the order of the checks
 * (spec/agent-actions.md#quote-check-order).
 */
const QUOTE: Wrong[] = [
  paused,
  unpermitted,
  {
    says: "an unknown side",
    spoil: (body) => ({ ...body, lockedCurrencySide: "BOTH" }),
    refused: code("INVALID_INPUT", "lockedCurrencySide"),
  },
  {
    says: "an unknown account",
    spoil: (body) => ({
      ...body,
      destination: { destinationType: "ACCOUNT", accountId: "ExternalAccount:none" },
    }),
    refused: {
      status: 400,
      code: "INVALID_INPUT",
      reason: "ACCOUNT_NOT_FOUND",
      field: "destination.accountId",
    },
  },
  frozen("source.accountId"),
  unready,
  {
    says: "a currency that is not sent",
    make: () =>
      world().call("PATCH", "/config", {
        supportedCurrencies: [
          {
            currencyCode: "USD",
            minAmount: 0,
            maxAmount: 10_000_000,
            enabledTransactionTypes: ["INCOMING"],
          },
        ],
      }),
    refused: code("INVALID_CURRENCY", "source.accountId"),
  },
  unlisted,
  ...LIMITS,
  {
    says: "an amount that its fees eat up",
    spoil: (body) => ({ ...body, lockedCurrencyAmount: 11 }),
    refused: code("AMOUNT_OUT_OF_RANGE", "lockedCurrencyAmount"),
  },
  {
    says: "an amount above the platform's bounds",
    make: () =>
      world().call("PATCH", "/config", {
        supportedCurrencies: [{ currencyCode: "USD", minAmount: 0, maxAmount: 24_999 }],
      }),
    refused: code("AMOUNT_OUT_OF_RANGE", "lockedCurrencyAmount"),
  },
];

describe("a quote that is executed at once", () => {
  const send = (spoil: Wrong["spoil"] = (body) => body) => {
    const { agent, payer, mexican } = parties;
    const body = { ...quoteInput(payer.accountId, mexican), immediatelyExecute: true };
    return agent.call("POST", "/agents/me/quotes", spoil(body));
  };

  test.each(QUOTE)("is refused for $says", async ({ make, spoil, refused }) => {
    await make?.();
    await expectNothing(world(), () => send(spoil), refused);
  });

  test.each(pairsOf(QUOTE))("for $first before $second", async ({ one, two }) => {
    await two.make?.();
    await one.make?.();
    await expectNothing(world(), () => send(bothSpoilt(one, two)), one.refused);
  });
});

describe("a quote for an amount above every bound", () => {
  const ask = (amount: string, more: object = {}) => {
    const { agent, payer, mexican } = parties;
    const { lockedCurrencyAmount: _amount, ...body } = quoteInput(payer.accountId, mexican);
    const text = JSON.stringify({ ...body, ...more });
    return world().raw("POST", "/agents/me/quotes", {
      headers: {
        authorization: `Bearer ${agent.accessToken}`,
        "content-type": "application/json",
      },
      // Written by hand, because parsing would turn the largest amounts into other numbers.
      body: `${text.slice(0, -1)},"lockedCurrencyAmount":${amount}}`,
    });
  };
  const AMOUNTS = ["9000000000000001", "1e30", "1e400"];

  test.each(AMOUNTS)("%s is refused for the list of accounts first", async (amount) => {
    await unlisted.make?.();
    await expectNothing(world(), () => ask(amount), unlisted.refused);
  });

  test.each(AMOUNTS)("%s is refused for the limits first, where it is executed", (amount) =>
    expectNothing(
      world(),
      () => ask(amount, { immediatelyExecute: true }),
      forbidden("PER_TRANSACTION_LIMIT_EXCEEDED"),
    ),
  );

  test.each(AMOUNTS)("%s is refused for its size if nothing else is wrong", (amount) =>
    expectNothing(world(), () => ask(amount), code("AMOUNT_OUT_OF_RANGE", "lockedCurrencyAmount")),
  );

  test("is refused for the list of accounts even if the other side is too large", async () => {
    await unlisted.make?.();
    const act = () => ask("9000000000000000", { lockedCurrencySide: "RECEIVING" });
    await expectNothing(world(), act, unlisted.refused);
  });
});

test("an unknown external account is 404 before pause and permission", async () => {
  await setPolicy({ permissions: [] });
  await patch({ isPaused: true });
  for (const method of ["GET", "DELETE"])
    await expectNothing(
      world(),
      () => parties.agent.call(method, "/agents/me/external-accounts/none"),
      { status: 404, code: "REFERENCE_NOT_FOUND" },
    );
  const missing = await parties.agent.call("GET", "/agents/me/transactions/none");
  expect(missing.status).toBe(404);
});

import { GENEROUS } from "../../setup/agents.ts";
import { from, justInTime, to, transferInput } from "../../setup/banks.ts";
import { lookUpUma, umaQuoteInput } from "../../setup/platform.ts";
import type { Answer, TestSimulator } from "../../setup/test-simulator.ts";
import {
  type AgentParties,
  ASKING,
  askQuote,
  createAgentParties,
  executeQuote,
  payQuote,
} from "../agents/setup/agent-parties.ts";
import { createWallet, NOBODY } from "./payment-parties.ts";
import { invalid, type Refused } from "./refused.ts";
import { goTo } from "./told.ts";

/** One refusal that an operation declares, and a call that gets it. */
interface DeclaredRefusal {
  operation: string;
  /** The declared word. */
  word: string;
  refused: Refused;
  meet(world: TestSimulator): Promise<Answer>;
}

type Change = (world: TestSimulator, parties: AgentParties) => Promise<unknown>;
type Act = (world: TestSimulator, parties: AgentParties) => Promise<Answer>;

const between =
  (act: Act, policy: object = GENEROUS) =>
  async (world: TestSimulator) =>
    act(world, await createAgentParties(world, policy));

const nothing: Change = async () => undefined;

/** The four ways in which an agent moves money: 25000 cents each, by default. */
interface Way {
  operation: string;
  /** Fields of the customer's internal and external account. */
  internal: string;
  external: string;
  pay(world: TestSimulator, parties: AgentParties, change: Change): Promise<Answer>;
}

const transferring = (direction: "in" | "out"): Way => {
  const isIn = direction === "in";
  return {
    operation: isIn ? "agentTransferIn" : "agentTransferOut",
    internal: isIn ? "destination.accountId" : "source.accountId",
    external: isIn ? "source.accountId" : "destination.accountId",
    pay: async (world, parties, change) => {
      await change(world, parties);
      const { agent, payer, bank } = parties;
      const [source, target] = isIn ? [bank, payer.accountId] : [payer.accountId, bank];
      const body = transferInput(source, target, 25_000);
      return agent.call("POST", `/agents/me/transfer-${direction}`, body);
    },
  };
};

const QUOTED = { internal: "source.accountId", external: "destination.accountId" };

const WAYS: Way[] = [
  transferring("in"),
  transferring("out"),
  {
    operation: "agentCreateQuote",
    ...QUOTED,
    pay: async (world, parties, change) => {
      await change(world, parties);
      return askQuote(parties, { immediatelyExecute: true });
    },
  },
  {
    operation: "agentExecuteQuote",
    ...QUOTED,
    pay: async (world, parties, change) => {
      const { body } = await askQuote(parties);
      await change(world, parties);
      return executeQuote(parties, body.id);
    },
  },
];

const forbidden = (reason: string): Refused => ({ status: 403, code: "FORBIDDEN", reason });

const limited =
  (limits: object): Change =>
  async ({ call }, { agent }) =>
    call("PATCH", `/agents/${agent.id}/policy`, { spendingLimits: limits });

/** Refusals of each way of paying. */
const EVERY_WAY: { word: string; refused: (way: Way) => Refused; change: Change }[] = [
  {
    word: "ACCOUNT_NOT_ALLOWED",
    refused: () => forbidden("ACCOUNT_NOT_ALLOWED"),
    change: ({ call }, { agent, wallet }) =>
      call("PATCH", `/agents/${agent.id}/policy`, {
        accountRestrictions: { allowedAccountIds: [wallet] },
      }),
  },
  {
    word: "PER_TRANSACTION_LIMIT_EXCEEDED",
    refused: () => forbidden("PER_TRANSACTION_LIMIT_EXCEEDED"),
    change: limited({ perTransactionLimit: 24_999 }),
  },
  {
    word: "DAILY_TRANSACTION_LIMIT_EXCEEDED",
    refused: () => forbidden("DAILY_TRANSACTION_LIMIT_EXCEEDED"),
    change: limited({ dailyTransactionLimit: 0 }),
  },
  {
    word: "DAILY_LIMIT_EXCEEDED",
    refused: () => forbidden("DAILY_LIMIT_EXCEEDED"),
    change: limited({ dailyLimit: 24_999 }),
  },
  {
    word: "MONTHLY_LIMIT_EXCEEDED",
    refused: () => forbidden("MONTHLY_LIMIT_EXCEEDED"),
    change: limited({ monthlyLimit: 24_999 }),
  },
  {
    word: "ACCOUNT_NOT_ACTIVE",
    refused: ({ internal }) => invalid(internal, "ACCOUNT_NOT_ACTIVE"),
    change: ({ control }, { payer }) =>
      control("PATCH", `/internal-accounts/${payer.accountId}`, { status: "FROZEN" }),
  },
  {
    word: "CUSTOMER_DELETED_IN_PAYMENT",
    refused: ({ internal }) => invalid(internal, "CUSTOMER_DELETED"),
    change: async ({ call }, { agent, payer }) => {
      await call("DELETE", `/customers/${payer.customerId}`);
      await call("PATCH", `/agents/${agent.id}`, { isPaused: false });
    },
  },
  {
    word: "USER_NOT_READY",
    refused: () => ({ status: 403, code: "USER_NOT_READY" }),
    change: ({ control }, { payer }) =>
      control("PATCH", `/customers/${payer.customerId}`, { kycStatus: "REJECTED" }),
  },
];

const inEveryWay = EVERY_WAY.flatMap(({ word, refused, change }) =>
  WAYS.map((way): DeclaredRefusal => {
    const { operation, pay } = way;
    const meet = between((world, parties) => pay(world, parties, change));
    return { operation, word, refused: refused(way), meet };
  }),
);

/** The agent has moved the largest amount that can be counted: one cent more is too much. */
const countedOut: Change = async ({ call }, { agent, payer, bank }) => {
  await call("PATCH", `/agents/${agent.id}/policy`, {
    spendingLimits: { perTransactionLimit: 9_000_000_000_000_000 },
  });
  const body = transferInput(bank, payer.accountId, 8_999_999_999_000_000);
  await agent.call("POST", "/agents/me/transfer-in", body);
};

/** Refusals for the two accounts and the amount of a transfer. */
const TRANSFERS: {
  word: string;
  refused: (way: Way) => Refused;
  ends?: (parties: AgentParties) => { internal?: string; external?: string };
  amount?: number;
  change?: Change;
}[] = [
  {
    word: "ACCOUNT_NOT_FOUND",
    refused: ({ external }) => invalid(external, "ACCOUNT_NOT_FOUND"),
    ends: ({ otherBank }) => ({ external: otherBank }),
  },
  {
    word: "ACCOUNT_KIND_NOT_ALLOWED",
    refused: ({ external }) => invalid(external, "ACCOUNT_KIND_NOT_ALLOWED"),
    ends: ({ wallet }) => ({ external: wallet }),
  },
  {
    word: "INVALID_CURRENCY",
    refused: () => ({ status: 400, code: "INVALID_CURRENCY", field: "destination.accountId" }),
    ends: ({ mexican }) => ({ external: mexican }),
  },
  {
    word: "INVALID_AMOUNT",
    refused: () => ({ status: 400, code: "INVALID_AMOUNT", field: "amount" }),
    amount: 0,
  },
  {
    word: "AMOUNT_OUT_OF_RANGE",
    refused: () => ({ status: 400, code: "AMOUNT_OUT_OF_RANGE", field: "amount" }),
    amount: 1_000_001,
    change: countedOut,
  },
];

const transfers = TRANSFERS.flatMap(({ word, refused, ends, amount, change }) =>
  WAYS.slice(0, 2).map((way): DeclaredRefusal => {
    const isIn = way.operation === "agentTransferIn";
    return {
      operation: way.operation,
      word,
      refused: refused(way),
      meet: between(async (world, parties) => {
        await change?.(world, parties);
        const internal = parties.payer.accountId;
        const external = ends?.(parties).external ?? parties.bank;
        const [source, target] = isIn ? [external, internal] : [internal, external];
        const body = transferInput(source, target, amount ?? 25_000);
        return parties.agent.call("POST", `/agents/me/transfer-${isIn ? "in" : "out"}`, body);
      }),
    };
  }),
);

const oneWay: DeclaredRefusal[] = [
  {
    operation: "agentTransferIn",
    word: "SOURCE_NOT_PULLABLE",
    refused: invalid("source.accountId", "SOURCE_NOT_PULLABLE"),
    meet: between(async (world, { agent, payer }) => {
      const wallet = await createWallet(world, payer.customerId, "BASE_WALLET");
      const body = transferInput(wallet, payer.accountId, 1);
      return agent.call("POST", "/agents/me/transfer-in", body);
    }),
  },
  {
    operation: "agentTransferOut",
    word: "USE_QUOTE",
    refused: invalid("source.accountId", "USE_QUOTE"),
    meet: between((_world, { agent, wallet, bank }) =>
      agent.call("POST", "/agents/me/transfer-out", transferInput(wallet, bank, 1)),
    ),
  },
];

const PERSON = "$success.mxn@sandbox.uma.test";

/** A quote to a sandbox person, after a change. */
const umaQuoted = (change: (world: TestSimulator) => object | Promise<object>) =>
  between(async (world, { agent, payer }) => {
    const usual = await umaQuoteInput(world, payer.accountId, PERSON);
    return agent.call("POST", "/agents/me/quotes", { ...usual, ...(await change(world)) });
  });

const quoted = (members: (parties: AgentParties) => object, change: Change = nothing) =>
  between(async (world, parties) => {
    await change(world, parties);
    return askQuote(parties, members(parties));
  });

const code = (word: string, field: string): Refused => ({ status: 400, code: word, field });

const quoting: DeclaredRefusal[] = [
  {
    word: "ACCOUNT_NOT_FOUND",
    refused: invalid("destination.accountId", "ACCOUNT_NOT_FOUND"),
    meet: quoted(({ other }) => to(other.accountId)),
  },
  {
    word: "USER_NOT_FOUND_IN_BODY",
    refused: invalid("source.customerId", "USER_NOT_FOUND"),
    meet: quoted(({ payer }) => from(payer.accountId, NOBODY)),
  },
  {
    word: "SELF_PAYMENT",
    refused: code("SELF_PAYMENT", "destination.accountId"),
    meet: quoted(({ payer }) => to(payer.accountId)),
  },
  {
    word: "SOURCE_NOT_PULLABLE",
    refused: invalid("source.accountId", "SOURCE_NOT_PULLABLE"),
    meet: between(async (world, parties) => {
      const wallet = await createWallet(world, parties.payer.customerId, "BASE_WALLET");
      return askQuote(parties, from(wallet));
    }),
  },
  {
    word: "INVALID_UMA_ADDRESS",
    refused: code("INVALID_UMA_ADDRESS", "destination.umaAddress"),
    meet: umaQuoted(() => ({
      destination: { destinationType: "UMA_ADDRESS", umaAddress: "$lena" },
    })),
  },
  {
    word: "LOOKUP_REQUEST_NOT_FOUND_IN_BODY",
    refused: invalid("lookupId", "LOOKUP_REQUEST_NOT_FOUND"),
    meet: umaQuoted(() => ({ lookupId: "Lookup:none" })),
  },
  {
    word: "INVALID_RECEIVER",
    refused: code("INVALID_RECEIVER", "destination.umaAddress"),
    meet: umaQuoted(async (world) => {
      const { lookupId } = await lookUpUma(world, "$success.usd@sandbox.uma.test");
      return { lookupId };
    }),
  },
  {
    word: "MISSING_MANDATORY_USER_INFO",
    refused: code("MISSING_MANDATORY_USER_INFO", "FULL_NAME"),
    meet: umaQuoted(() => ({ senderCustomerInfo: {} })),
  },
  {
    word: "INVALID_CURRENCY",
    refused: code("INVALID_CURRENCY", "source.currency"),
    meet: quoted(() => justInTime("XYZ")),
  },
  {
    word: "INVALID_AMOUNT",
    refused: code("INVALID_AMOUNT", "lockedCurrencyAmount"),
    meet: quoted(() => ({ lockedCurrencyAmount: 0 })),
  },
  {
    word: "AMOUNT_OUT_OF_RANGE",
    refused: code("AMOUNT_OUT_OF_RANGE", "lockedCurrencyAmount"),
    meet: quoted(() => ({ lockedCurrencyAmount: 10_000_001 })),
  },
].map((one) => ({ operation: "agentCreateQuote", ...one }));

const executedAfter = (change: Change, members: object = {}) =>
  between(async (world, parties) => {
    const { body } = await askQuote(parties, members);
    await change(world, parties);
    return executeQuote(parties, body.id);
  });

const conflict = (reason: string): Refused => ({ status: 409, code: "CONFLICT", reason });

const executing: DeclaredRefusal[] = [
  {
    word: "INVALID_INPUT",
    refused: invalid("quoteId"),
    meet: executedAfter(nothing, justInTime("USD")),
  },
  {
    word: "QUOTE_NOT_FOUND",
    refused: { status: 404, code: "QUOTE_NOT_FOUND" },
    meet: between((_world, parties) => executeQuote(parties, "Quote:none")),
  },
  {
    word: "INVALID_BANK_ACCOUNT",
    refused: code("INVALID_BANK_ACCOUNT", "destination.accountId"),
    meet: executedAfter(({ call }, { mexican }) =>
      call("DELETE", `/customers/external-accounts/${mexican}`),
    ),
  },
  {
    word: "AMOUNT_OUT_OF_RANGE",
    refused: code("AMOUNT_OUT_OF_RANGE", "amount"),
    meet: executedAfter(countedOut, { lockedCurrencyAmount: 10_000_000 }),
  },
  {
    word: "QUOTE_EXPIRED",
    refused: conflict("QUOTE_EXPIRED"),
    meet: executedAfter((world) => goTo(world, "09:05:00.000")),
  },
  {
    word: "QUOTE_ALREADY_EXECUTED",
    refused: conflict("QUOTE_ALREADY_EXECUTED"),
    meet: between(async (_world, parties) => {
      const { quote } = (await payQuote(parties)).body;
      return executeQuote(parties, quote.id);
    }),
  },
  {
    word: "ACTION_PENDING_APPROVAL",
    refused: conflict("ACTION_PENDING_APPROVAL"),
    meet: between(async (_world, parties) => {
      const { quote } = (await payQuote(parties)).body;
      return executeQuote(parties, quote.id);
    }, ASKING),
  },
].map((one) => ({ operation: "agentExecuteQuote", ...one }));

const reading: DeclaredRefusal = {
  operation: "agentGetQuote",
  word: "QUOTE_NOT_FOUND",
  refused: { status: 404, code: "QUOTE_NOT_FOUND" },
  meet: between((_world, { agent }) => agent.call("GET", "/agents/me/quotes/Quote:none")),
};

/** Refusals that payments by agents declare (spec/agent-actions.md#quote-check-order). */
export const DECLARED_AGENT_PAYMENT_REFUSALS: DeclaredRefusal[] = [
  ...inEveryWay,
  ...transfers,
  ...oneWay,
  ...quoting,
  ...executing,
  reading,
];

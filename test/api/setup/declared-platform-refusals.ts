import { createPayee, createPayer } from "../../setup/platform.ts";
import type { Answer, TestSimulator } from "../../setup/test-simulator.ts";
import { createToken } from "../../setup/tokens.ts";
import type { DeclaredRefusal } from "./declared-refusals.ts";
import { invalid, type Refused } from "./refused.ts";

const bare = (status: number, code: string, field?: string): Refused => ({
  status,
  code,
  ...(field !== undefined && { field }),
});

const startTokenId = async ({ call }: TestSimulator): Promise<string> =>
  (await call("GET", "/tokens")).body.data.at(-1).id;

const tokens: DeclaredRefusal[] = [
  {
    operation: "createToken",
    word: "FORBIDDEN",
    refused: bare(403, "FORBIDDEN"),
    meet: async (world) => {
      const manager = await createToken(world, ["MANAGE"]);
      return manager.call("POST", "/tokens", { name: "payer", permissions: ["TRANSACT"] });
    },
  },
  ...["GET", "DELETE"].map(
    (method): DeclaredRefusal => ({
      operation: `${method.toLowerCase()}Token`,
      word: "TOKEN_NOT_FOUND",
      refused: bare(404, "TOKEN_NOT_FOUND"),
      meet: ({ call }) => call(method, "/tokens/Token:none"),
    }),
  ),
  {
    operation: "deleteToken",
    word: "LAST_MANAGE_TOKEN",
    refused: { ...bare(400, "INVALID_INPUT"), reason: "LAST_MANAGE_TOKEN" },
    meet: async (world) => world.call("DELETE", `/tokens/${await startTokenId(world)}`),
  },
  {
    operation: "deleteToken",
    word: "OWN_TOKEN",
    refused: { ...bare(400, "INVALID_INPUT"), reason: "OWN_TOKEN" },
    meet: async (world) => {
      const own = await createToken(world, ["MANAGE"]);
      return own.call("DELETE", `/tokens/${own.id}`);
    },
  },
];

const inviterUma = "$lena@pay.example";
const inviteeUma = "$noor@bank.example";

const invite = async ({ call }: TestSimulator, more: object = {}): Promise<string> =>
  (await call("POST", "/invitations", { inviterUma, ...more })).body.code;

const creation: DeclaredRefusal[] = [
  {
    operation: "createInvitation",
    word: "INVALID_UMA_ADDRESS",
    refused: bare(400, "INVALID_UMA_ADDRESS", "inviterUma"),
    meet: ({ call }) => call("POST", "/invitations", { inviterUma: "lena@pay.example" }),
  },
  {
    operation: "createInvitation",
    word: "INVITATIONS_NOT_CONFIGURED",
    refused: bare(400, "INVITATIONS_NOT_CONFIGURED"),
    meet: async ({ call }) => {
      await call("PATCH", "/config", { umaDomain: null });
      return call("POST", "/invitations", { inviterUma });
    },
  },
  {
    operation: "createInvitation",
    word: "INVALID_AMOUNT",
    refused: bare(400, "INVALID_AMOUNT", "amountToSend"),
    meet: ({ call }) => call("POST", "/invitations", { inviterUma, amountToSend: 0 }),
  },
  {
    operation: "createInvitation",
    word: "AMOUNT_OUT_OF_RANGE",
    refused: bare(400, "AMOUNT_OUT_OF_RANGE", "amountToSend"),
    meet: ({ call }) =>
      call("POST", "/invitations", { inviterUma, amountToSend: 9_000_000_000_000_001 }),
  },
];

/** Ends of an invitation, and the refusals of its claim and its cancellation from then on. */
const ENDINGS: {
  word: "INVITATION_ALREADY_CLAIMED" | "INVITATION_CANCELLED" | "INVITATION_EXPIRED";
  refused: Refused;
  end: (world: TestSimulator) => Promise<string>;
}[] = [
  {
    word: "INVITATION_ALREADY_CLAIMED",
    refused: bare(400, "INVITATION_ALREADY_CLAIMED"),
    end: async (world) => {
      const code = await invite(world);
      await world.call("POST", `/invitations/${code}/claim`, { inviteeUma });
      return code;
    },
  },
  {
    word: "INVITATION_CANCELLED",
    refused: bare(400, "INVITATION_CANCELLED"),
    end: async (world) => {
      const code = await invite(world);
      await world.call("POST", `/invitations/${code}/cancel`);
      return code;
    },
  },
  {
    word: "INVITATION_EXPIRED",
    refused: { ...bare(400, "INVALID_INPUT"), reason: "INVITATION_EXPIRED" },
    end: (world) => invite(world, { expiresAt: "2026-01-05T09:00:00Z" }),
  },
];

const ended = ENDINGS.flatMap(({ word, refused, end }): DeclaredRefusal[] => [
  {
    operation: "claimInvitation",
    word,
    refused,
    meet: async (world) =>
      world.call("POST", `/invitations/${await end(world)}/claim`, { inviteeUma }),
  },
  {
    operation: "cancelInvitation",
    word,
    refused,
    meet: async (world) => world.call("POST", `/invitations/${await end(world)}/cancel`),
  },
]);

const unknown = [
  { operation: "getInvitation", call: "GET /invitations/00000000" },
  { operation: "claimInvitation", call: "POST /invitations/00000000/claim" },
  { operation: "cancelInvitation", call: "POST /invitations/00000000/cancel" },
].map(({ operation, call }): DeclaredRefusal => {
  const [method = "", path = ""] = call.split(" ");
  return {
    operation,
    word: "INVITATION_NOT_FOUND",
    refused: bare(404, "INVITATION_NOT_FOUND"),
    meet: (world) => world.call(method, path),
  };
});

const claims: DeclaredRefusal[] = [
  {
    operation: "claimInvitation",
    word: "INVALID_UMA_ADDRESS",
    refused: bare(400, "INVALID_UMA_ADDRESS", "inviteeUma"),
    meet: async (world) =>
      world.call("POST", `/invitations/${await invite(world)}/claim`, { inviteeUma: "noor" }),
  },
];

/** An estimate for the platform's USDC account, with changed members. */
const estimate = async ({ call }: TestSimulator, other: object): Promise<Answer> => {
  const { body } = await call("GET", "/platform/internal-accounts?currency=USDC");
  return call("POST", "/crypto/estimate-withdrawal-fee", {
    internalAccountId: body.data[0].id,
    currency: "USDC",
    cryptoNetwork: "SOLANA",
    amount: 1_000_000,
    destinationAddress: "7nYBs5Zv2m",
    ...other,
  });
};

const estimates: DeclaredRefusal[] = [
  {
    operation: "estimateWithdrawalFee",
    word: "ACCOUNT_NOT_FOUND",
    refused: invalid("internalAccountId", "ACCOUNT_NOT_FOUND"),
    meet: (world) => estimate(world, { internalAccountId: "InternalAccount:none" }),
  },
  {
    operation: "estimateWithdrawalFee",
    word: "ACCOUNT_KIND_NOT_ALLOWED",
    refused: invalid("internalAccountId", "ACCOUNT_KIND_NOT_ALLOWED"),
    meet: async (world) => {
      const { customerId } = await createPayer(world);
      const internalAccountId = await createPayee(world, customerId, "999");
      return estimate(world, { internalAccountId });
    },
  },
  {
    operation: "estimateWithdrawalFee",
    word: "INVALID_CURRENCY",
    refused: bare(400, "INVALID_CURRENCY", "currency"),
    meet: (world) => estimate(world, { currency: "BTC" }),
  },
  {
    operation: "estimateWithdrawalFee",
    word: "INVALID_AMOUNT",
    refused: bare(400, "INVALID_AMOUNT", "amount"),
    meet: (world) => estimate(world, { amount: 0 }),
  },
  {
    operation: "estimateWithdrawalFee",
    word: "AMOUNT_OUT_OF_RANGE",
    refused: bare(400, "AMOUNT_OUT_OF_RANGE", "amount"),
    meet: (world) => estimate(world, { amount: 999 }),
  },
];

/** Refusals that the operations of tokens, invitations and withdrawals declare. */
export const DECLARED_PLATFORM_REFUSALS = [
  ...tokens,
  ...creation,
  ...ended,
  ...unknown,
  ...claims,
  ...estimates,
];

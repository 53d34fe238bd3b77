import {
  createPayee,
  createPayer,
  lookUpUma,
  type Payer,
  umaQuoteInput,
} from "../../setup/platform.ts";
import type { Answer, TestSimulator } from "../../setup/test-simulator.ts";
import type { DeclaredRefusal } from "./declared-refusals.ts";

const PERSON = "$success.mxn@sandbox.uma.test";
const NOBODY = "Customer:00000000-0000-7000-8000-000000000000";

/** Invalid senders, refused by both kinds of lookup (spec/lookups.md#sender). */
const WRONG_SENDERS = [
  {
    word: "INVALID_UMA_ADDRESS",
    refused: { status: 400, code: "INVALID_UMA_ADDRESS", field: "senderUmaAddress" },
    query: "senderUmaAddress=nobody",
  },
  {
    word: "USER_NOT_FOUND",
    refused: { status: 404, code: "USER_NOT_FOUND", field: "customerId" },
    query: `customerId=${NOBODY}`,
  },
];

const lookups: DeclaredRefusal[] = [
  ...WRONG_SENDERS.flatMap(({ query, ...one }): DeclaredRefusal[] => [
    {
      operation: "lookUpUma",
      ...one,
      meet: ({ call }) => call("GET", `/receiver/uma/${PERSON}?${query}`),
    },
    {
      operation: "lookUpExternalAccount",
      ...one,
      meet: async (world) => {
        const { customerId } = await createPayer(world, 0);
        const id = await createPayee(world, customerId, "999");
        return world.call("GET", `/receiver/external-account/${id}?${query}`);
      },
    },
  ]),
  {
    operation: "lookUpUma",
    word: "SELF_PAYMENT",
    refused: { status: 400, code: "SELF_PAYMENT", field: "senderUmaAddress" },
    meet: ({ call }) => call("GET", `/receiver/uma/${PERSON}?senderUmaAddress=${PERSON}`),
  },
  {
    operation: "lookUpUma",
    word: "UMA_NOT_FOUND",
    refused: { status: 404, code: "UMA_NOT_FOUND" },
    meet: ({ call }) => call("GET", "/receiver/uma/$nobody@sandbox.uma.test"),
  },
  {
    operation: "lookUpUma",
    word: "LNURLP_REQUEST_FAILED",
    refused: { status: 424, code: "LNURLP_REQUEST_FAILED" },
    meet: ({ call }) => call("GET", "/receiver/uma/$lena@bank.example"),
  },
  {
    operation: "lookUpExternalAccount",
    word: "REFERENCE_NOT_FOUND",
    refused: { status: 404, code: "REFERENCE_NOT_FOUND" },
    meet: ({ call }) => call("GET", "/receiver/external-account/none"),
  },
];

type Change = (world: TestSimulator, payer: Payer) => object | Promise<object>;

/** A quote to a sandbox person, after a change. */
const quoted =
  (change: Change) =>
  async (world: TestSimulator): Promise<Answer> => {
    const payer = await createPayer(world);
    const usual = await umaQuoteInput(world, payer.accountId, PERSON);
    return world.call("POST", "/quotes", { ...usual, ...(await change(world, payer)) });
  };

const quotes = [
  {
    word: "INVALID_UMA_ADDRESS",
    refused: { status: 400, code: "INVALID_UMA_ADDRESS", field: "destination.umaAddress" },
    meet: quoted(() => ({ destination: { destinationType: "UMA_ADDRESS", umaAddress: "$lena" } })),
  },
  {
    word: "LOOKUP_REQUEST_NOT_FOUND_IN_BODY",
    refused: {
      status: 400,
      code: "INVALID_INPUT",
      reason: "LOOKUP_REQUEST_NOT_FOUND",
      field: "lookupId",
    },
    meet: quoted(() => ({ lookupId: "Lookup:none" })),
  },
  {
    word: "INVALID_RECEIVER",
    refused: { status: 400, code: "INVALID_RECEIVER", field: "destination.umaAddress" },
    meet: quoted(async (world) => {
      const { lookupId } = await lookUpUma(world, "$success.usd@sandbox.uma.test");
      return { lookupId };
    }),
  },
  {
    word: "MISSING_MANDATORY_USER_INFO",
    refused: { status: 400, code: "MISSING_MANDATORY_USER_INFO", field: "FULL_NAME" },
    meet: quoted(() => ({ senderCustomerInfo: {} })),
  },
].map((one): DeclaredRefusal => ({ operation: "createQuote", ...one }));

/**
 * Refusals of lookups, and of quotes that name one (spec/lookups.md#check-order,
 * spec/quotes.md#lookup-binding).
 */
export const DECLARED_UMA_REFUSALS: DeclaredRefusal[] = [...lookups, ...quotes];

import { beforeEach, expect } from "vitest";
import { createPayer, type Payer, umaQuoteInput } from "../../setup/platform.ts";
import type { Answer } from "../../setup/test-simulator.ts";
import { fingerprintOf } from "./every-operation.ts";
import { expectRefused, type Refused } from "./refused.ts";
import { worldPerTest } from "./world-per-test.ts";

/** A sandbox person whose first currency is pesos, and who requires name and date of birth. */
export const PERSON = "$success.mxn@sandbox.uma.test";

export const to = (umaAddress: string, currency?: string) => ({
  destination: {
    destinationType: "UMA_ADDRESS",
    umaAddress,
    ...(currency !== undefined && { currency }),
  },
});

/** A simulator for each test, with a payer of 1000000 cents and the actions of the tests. */
export const umaWorld = () => {
  const world = worldPerTest();
  let payer: Payer;

  beforeEach(async () => {
    payer = await createPayer(world());
  });

  const quote = (body: object) => world().call("POST", "/quotes", body);
  const inputTo = (umaAddress = PERSON, from = payer.accountId) =>
    umaQuoteInput(world(), from, umaAddress);

  return {
    world,
    payer: () => payer,
    quote,
    /** Body of a quote of 250.00 dollars to an address that has just been looked up. */
    inputTo,
    /** Looks up an address and creates a quote of 250.00 dollars to it. */
    ask: async (change: object = {}, umaAddress = PERSON) =>
      quote({ ...(await inputTo(umaAddress)), ...change }),
    /** Asserts a refusal that leaves no trace. */
    refused: async (act: () => Promise<Answer>, how: Refused) => {
      const before = await fingerprintOf(world());
      const answer = await act();
      expectRefused(answer, how);
      expect(await fingerprintOf(world())).toEqual(before);
      return answer;
    },
    createCustomer: async (members: object = {}) => {
      const body = { customerType: "INDIVIDUAL", ...members };
      const answer = await world().call("POST", "/customers", body);
      expect(answer.status).toBe(201);
      return answer.body as { id: string; umaAddress: string };
    },
    accountOf: async (customerId: string, currency: string) => {
      const query = `customerId=${customerId}&currency=${currency}`;
      const { body } = await world().call("GET", `/customers/internal-accounts?${query}`);
      return body.data[0].id as string;
    },
    platformAccount: async () => {
      const { body } = await world().call("GET", "/platform/internal-accounts?currency=USD");
      return body.data[0].id as string;
    },
  };
};

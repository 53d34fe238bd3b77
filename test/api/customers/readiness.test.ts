import { beforeEach, describe, expect, test } from "vitest";
import { createBank, transferInput } from "../../setup/banks.ts";
import { createPayee, quoteInput } from "../../setup/platform.ts";
import { expectRefused } from "../setup/refused.ts";
import { goTo } from "../setup/told.ts";
import { createBusiness, register, verify } from "./setup/people.ts";
import { toldPerTest } from "./setup/told-per-test.ts";

const { world, told } = toldPerTest();

const NOT_READY = { status: 403, code: "USER_NOT_READY" };

let customerId: string;
let accountId: string;
let payeeId: string;
let bankId: string;

beforeEach(async () => {
  customerId = await createBusiness(world(), "001");
  const query = `customerId=${customerId}&currency=USD`;
  const { body } = await world().call("GET", `/customers/internal-accounts?${query}`);
  accountId = body.data[0].id;
  await world().call("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 100_000 });
  payeeId = await createPayee(world(), customerId, "999");
  bankId = await createBank(world(), customerId);
});

const quote = () => world().call("POST", "/quotes", quoteInput(accountId, payeeId));
const transferOut = () =>
  world().call("POST", "/transfer-out", transferInput(accountId, bankId, 5));
const transferIn = () => world().call("POST", "/transfer-in", transferInput(bankId, accountId, 5));
const MOVES = [quote, transferOut, transferIn];

describe("a business moves money", () => {
  test("only after a verification approved it, and until another one refuses it", async () => {
    for (const move of MOVES) expectRefused(await move(), NOT_READY);
    await verify(world(), customerId);
    for (const move of MOVES) expectRefused(await move(), NOT_READY);
    await register(world(), customerId, "88-999");
    for (const move of MOVES) expectRefused(await move(), NOT_READY);
    await verify(world(), customerId);
    for (const move of MOVES) expect((await move()).status).toBe(201);
    const { body: waiting } = await quote();
    await register(world(), customerId, "88-002");
    expect((await quote()).status).toBe(201);
    await verify(world(), customerId);
    for (const move of MOVES) expectRefused(await move(), NOT_READY);
    expectRefused(await world().call("POST", `/quotes/${waiting.id}/execute`), NOT_READY);
    await goTo(world(), "09:00:00.000");
  });

  test("only after its own verification, whatever the status of its owners", async () => {
    expect((await told()).map(({ type }) => type)).toEqual(["INTERNAL_ACCOUNT.BALANCE_UPDATED"]);
    expectRefused(await quote(), NOT_READY);
  });
});

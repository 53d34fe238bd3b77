import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  createPayee,
  createPayer,
  mxnAccount,
  type Payer,
  quoteInput,
} from "../../setup/platform.ts";
import { Receiver } from "../../setup/receiver.ts";
import { expectRefused } from "../setup/refused.ts";
import { balanceOf, goTo } from "../setup/told.ts";
import { expectUntouched } from "../setup/untouched.ts";
import { worldPerTest } from "../setup/world-per-test.ts";

const NOT_READY = { status: 403, code: "USER_NOT_READY" };

/** Customers that may not pay: KYC of people, KYB of businesses (spec/customers.md#readiness). */
const UNREADY = [
  { customerType: "INDIVIDUAL", member: "kycStatus" },
  { customerType: "BUSINESS", member: "kybStatus" },
].flatMap((kind) => ["PENDING", "REJECTED", "UNVERIFIED"].map((status) => ({ ...kind, status })));

const world = worldPerTest();
let receiver: Receiver;

beforeEach(async () => {
  receiver = await new Receiver().start();
  await world().call("PATCH", "/config", { webhookEndpoint: receiver.url });
});

afterEach(() => receiver.stop());

const untouched = (act: () => Promise<unknown>) =>
  expectUntouched({ world: world(), receiver }, act);

const setStatus = async (customerId: string, member: string, status: string) => {
  const answer = await world().control("PATCH", `/customers/${customerId}`, { [member]: status });
  expect(answer).toMatchObject({ status: 200, body: { [member]: status } });
};

/** A business is UNVERIFIED at first. */
const createBusiness = async (): Promise<Payer> => {
  const { call } = world();
  const { body: customer } = await call("POST", "/customers", { customerType: "BUSINESS" });
  expect(customer).toMatchObject({ kybStatus: "UNVERIFIED" });
  const path = `/customers/internal-accounts?customerId=${customer.id}&currency=USD`;
  const accountId = (await call("GET", path)).body.data[0].id as string;
  await call("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 1_000_000 });
  await setStatus(customer.id, "kybStatus", "APPROVED");
  return { customerId: customer.id, accountId };
};

const createReady = (customerType: string) =>
  customerType === "INDIVIDUAL" ? createPayer(world()) : createBusiness();

const platformDollars = async () => {
  const { body } = await world().call("GET", "/platform/internal-accounts?currency=USD");
  return body.data[0].id as string;
};

const ask = (from: string, to: string, more: object = {}) =>
  world().call("POST", "/quotes", { ...quoteInput(from, to), ...more });

const execute = ({ id }: { id: string }) => world().call("POST", `/quotes/${id}/execute`);

describe.each(UNREADY)("a $customerType whose $member is $status", (row) => {
  const { customerType, member, status } = row;
  let payer: Payer;
  let payee: string;

  beforeEach(async () => {
    payer = await createReady(customerType);
    payee = await createPayee(world(), payer.customerId, "003");
  });

  test("gets no quote until it is approved", async () => {
    await setStatus(payer.customerId, member, status);
    await untouched(async () => {
      expectRefused(await ask(payer.accountId, payee), NOT_READY);
      const atOnce = await ask(payer.accountId, payee, { immediatelyExecute: true });
      expectRefused(atOnce, NOT_READY);
      expect(atOnce.body.details).toEqual({
        customerId: payer.customerId,
        customerStatus: status,
      });
    });
    await setStatus(payer.customerId, member, "APPROVED");
    expect((await ask(payer.accountId, payee)).status).toBe(201);
  });

  test("cannot execute an earlier quote until it is approved", async () => {
    const { body: quote } = await ask(payer.accountId, payee);
    await setStatus(payer.customerId, member, status);
    await untouched(async () => expectRefused(await execute(quote), NOT_READY));
    expect((await world().call("GET", `/quotes/${quote.id}`)).body).toEqual(quote);
    await setStatus(payer.customerId, member, "APPROVED");
    expect((await execute(quote)).status).toBe(200);
    expect(await balanceOf(world(), payer.accountId)).toBe(975_000);
  });

  test("cannot pay from a platform account either, at creation or execution", async () => {
    const dollars = await platformDollars();
    const source = { sourceType: "ACCOUNT", accountId: dollars, customerId: payer.customerId };
    await world().call("POST", `/sandbox/internal-accounts/${dollars}/fund`, { amount: 25_000 });
    const { body: quote } = await ask(dollars, payee, { source });
    await setStatus(payer.customerId, member, status);
    await untouched(async () => {
      expectRefused(await ask(dollars, payee, { source }), NOT_READY);
      expectRefused(await execute(quote), NOT_READY);
    });
  });

  test("still receives sandbox money and payments of others", async () => {
    const other = await createPayer(world());
    await setStatus(payer.customerId, member, status);
    const funded = await world().call(
      "POST",
      `/sandbox/internal-accounts/${payer.accountId}/fund`,
      { amount: 1 },
    );
    expect(funded.body).toMatchObject({ balance: { amount: 1_000_001 } });
    const { body } = await ask(other.accountId, payer.accountId, { immediatelyExecute: true });
    expect(body).toMatchObject({ status: "PROCESSING", totalReceivingAmount: 24_905 });
    await goTo(world(), "09:00:00.000");
    expect(await balanceOf(world(), payer.accountId)).toBe(1_024_906);
  });

  test("does not stop a payment in progress", async () => {
    const { body: quote } = await ask(payer.accountId, payee, { immediatelyExecute: true });
    await setStatus(payer.customerId, member, status);
    await goTo(world(), "09:06:00.000");
    expect((await world().call("GET", `/quotes/${quote.id}`)).body.status).toBe("COMPLETED");
  });
});

test("a business that was never verified cannot pay", async () => {
  const { call } = world();
  const { body: customer } = await call("POST", "/customers", { customerType: "BUSINESS" });
  const path = `/customers/internal-accounts?customerId=${customer.id}&currency=USD`;
  const { id: accountId } = (await call("GET", path)).body.data[0];
  const { body: payee } = await call("POST", "/platform/external-accounts", {
    currency: "MXN",
    accountInfo: mxnAccount("999"),
  });
  await untouched(async () => expectRefused(await ask(accountId, payee.id), NOT_READY));
});

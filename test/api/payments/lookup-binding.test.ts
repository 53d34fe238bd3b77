import { describe, expect, test } from "vitest";
import {
  createPayee,
  createPayer,
  lookUpAccount,
  lookUpUma,
  quoteInput,
} from "../../setup/platform.ts";
import { expectRefused, type Refused } from "../setup/refused.ts";
import { goTo } from "../setup/told.ts";
import { PERSON, to, umaWorld } from "../setup/uma-world.ts";

const { world, payer, quote, inputTo, ask, refused, createCustomer } = umaWorld();

const NO_LOOKUP: Refused = {
  status: 400,
  code: "INVALID_INPUT",
  reason: "LOOKUP_REQUEST_NOT_FOUND",
  field: "lookupId",
};

// spec/lookups.md#lifetime
describe("a lookup", () => {
  test("can be used many times", async () => {
    const input = await inputTo();
    for (const _ of [1, 2, 3]) expect((await quote(input)).status).toBe(201);
  });

  test("is valid until the last millisecond of its fifteen minutes", async () => {
    const input = await inputTo();
    await goTo(world(), "09:14:59.999");
    expect((await quote(input)).status).toBe(201);
    await goTo(world(), "09:15:00.000");
    const answer = await refused(() => quote(input), NO_LOOKUP);
    expect(answer.body.message).toContain("expired at 2026-01-05T09:15:00.000Z");
  });

  test("is required for a UMA destination", async () => {
    const { lookupId: _none, ...input } = await inputTo();
    await refused(() => quote(input), {
      status: 400,
      code: "INVALID_INPUT",
      field: "lookupId",
    });
  });

  test.each(["", "Lookup:none", "LookupRequest:1", "__proto__", PERSON])(
    "that does not exist is unknown: %j",
    async (lookupId) => {
      const input = await inputTo();
      await refused(() => quote({ ...input, lookupId }), NO_LOOKUP);
    },
  );

  test("is not found by the id of a quote", async () => {
    const { body } = await ask();
    const input = await inputTo();
    expectRefused(await quote({ ...input, lookupId: body.id }), NO_LOOKUP);
  });
});

/** A lookup is bound to its receiver (spec/quotes.md#lookup-binding). */
describe("the binding of a lookup", () => {
  const WRONG_ADDRESS: Refused = {
    status: 400,
    code: "INVALID_RECEIVER",
    field: "destination.umaAddress",
  };
  const WRONG_ACCOUNT = { ...WRONG_ADDRESS, field: "destination.accountId" };

  test("refuses a quote to another address, and names the lookup's own", async () => {
    const { lookupId } = await lookUpUma(world(), "$success.eur@sandbox.uma.test");
    const input = await inputTo();
    const answer = await refused(() => quote({ ...input, lookupId }), WRONG_ADDRESS);
    expect(answer.body.message).toContain("made for $success.eur@sandbox.uma.test");
  });

  test("ignores upper and lower case in the address", async () => {
    const input = await inputTo();
    const { status, body } = await quote({ ...input, ...to("$SUCCESS.mxn@SANDBOX.uma.test") });
    expect(status).toBe(201);
    expect(body.destination).toEqual(to("$SUCCESS.mxn@SANDBOX.uma.test", "MXN").destination);
  });

  test("holds for the account of the lookup only", async () => {
    const payee = await createPayee(world(), payer().customerId, "999");
    const other = await createPayee(world(), payer().customerId, "998");
    const { lookupId } = await lookUpAccount(world(), payee);
    const uma = await lookUpUma(world(), PERSON);
    const pay = (accountId: string, id: string) =>
      quote({ ...quoteInput(payer().accountId, accountId), lookupId: id });

    expect((await pay(payee, lookupId)).status).toBe(201);
    await refused(() => pay(other, lookupId), WRONG_ACCOUNT);
    await refused(() => pay(payee, uma.lookupId), WRONG_ACCOUNT);
    await refused(() => pay(payee, "Lookup:none"), NO_LOOKUP);
    const input = await inputTo();
    await refused(() => quote({ ...input, lookupId }), WRONG_ADDRESS);
    const { accountId } = await createPayer(world(), 0);
    await refused(() => pay(accountId, lookupId), WRONG_ACCOUNT);
    await goTo(world(), "09:15:00.000");
    await refused(() => pay(payee, lookupId), NO_LOOKUP);
    expect((await quote(quoteInput(payer().accountId, payee))).status).toBe(201);
  });

  test("holds for the owner of the address at the lookup, not for a later one", async () => {
    const { call } = world();
    const umaAddress = "$lena@bank.example";
    const { id } = await createCustomer({ umaAddress });
    const input = await inputTo(umaAddress);
    const person = { customerType: "INDIVIDUAL" };
    await call("PATCH", `/customers/${id}`, { ...person, umaAddress: "$lena2@bank.example" });
    await refused(() => quote(input), WRONG_ADDRESS);
    const heir = await createCustomer({ umaAddress });
    await refused(() => quote(input), WRONG_ADDRESS);
    expect((await ask({}, umaAddress)).status).toBe(201);
    await call("DELETE", `/customers/${heir.id}`);
    await call("PATCH", `/customers/${id}`, { ...person, umaAddress });
    expect((await quote(input)).status).toBe(201);
  });

  test.each(["$nobody", "success.mxn@sandbox.uma.test", "", `${PERSON} `])(
    "refuses a malformed address: %j",
    async (umaAddress) => {
      const input = await inputTo();
      await refused(() => quote({ ...input, ...to(umaAddress) }), {
        status: 400,
        code: "INVALID_UMA_ADDRESS",
        field: "destination.umaAddress",
      });
    },
  );
});

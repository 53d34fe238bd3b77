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
  test("can be used again and again", async () => {
    const input = await inputTo();
    for (const _ of [1, 2, 3]) expect((await quote(input)).status).toBe(201);
  });

  test("is good until the last millisecond of its fifteen minutes", async () => {
    const input = await inputTo();
    await goTo(world(), "09:14:59.999");
    expect((await quote(input)).status).toBe(201);
    await goTo(world(), "09:15:00.000");
    const answer = await refused(() => quote(input), NO_LOOKUP);
    expect(answer.body.message).toContain("expired at 2026-01-05T09:15:00.000Z");
  });

  test("is asked for where the destination is a UMA address", async () => {
    const { lookupId: _none, ...input } = await inputTo();
    await refused(() => quote(input), {
      status: 400,
      code: "INVALID_INPUT",
      field: "lookupId",
    });
  });

  test.each(["", "Lookup:none", "LookupRequest:1", "__proto__", PERSON])(
    "that nobody made is unknown: %j",
    async (lookupId) => {
      const input = await inputTo();
      await refused(() => quote({ ...input, lookupId }), NO_LOOKUP);
    },
  );

  test("of another kind is unknown: the id of a quote", async () => {
    const { body } = await ask();
    const input = await inputTo();
    expectRefused(await quote({ ...input, lookupId: body.id }), NO_LOOKUP);
  });
});

/** A lookup is bound to its receiver (spec/quotes.md#lookup-binding). */
describe("a lookup binds", () => {
  const WRONG_ADDRESS: Refused = {
    status: 400,
    code: "INVALID_RECEIVER",
    field: "destination.umaAddress",
  };
  const WRONG_ACCOUNT = { ...WRONG_ADDRESS, field: "destination.accountId" };

  test("a quote to another address is refused, and told whom the lookup was of", async () => {
    const { lookupId } = await lookUpUma(world(), "$success.eur@sandbox.uma.test");
    const input = await inputTo();
    const answer = await refused(() => quote({ ...input, lookupId }), WRONG_ADDRESS);
    expect(answer.body.message).toContain("made for $success.eur@sandbox.uma.test");
  });

  test("the same address in capitals is the same receiver", async () => {
    const input = await inputTo();
    const { status, body } = await quote({ ...input, ...to("$SUCCESS.mxn@SANDBOX.uma.test") });
    expect(status).toBe(201);
    expect(body.destination).toEqual(to("$SUCCESS.mxn@SANDBOX.uma.test", "MXN").destination);
  });

  test("an account's lookup is good for that account alone", async () => {
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

  test("whoever had the address when it was looked up, not who has it now", async () => {
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
    "nothing to what is no address: %j",
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

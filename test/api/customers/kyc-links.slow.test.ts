import { describe, expect, test } from "vitest";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { reopen } from "../../storage/setup/reopen.ts";
import { StateDirectory } from "../../storage/setup/state-directory.ts";
import { expectRefused, invalid } from "../setup/refused.ts";
import { createBusiness, createCustomer, customerOf, NOBODY, setStatus } from "./setup/people.ts";
import { toldPerTest } from "./setup/told-per-test.ts";

const { world, told, expectNothing } = toldPerTest();

const ask = (customerId: string, body?: unknown) =>
  world().call("POST", `/customers/${customerId}/kyc-link`, body);

const keyed = (
  { raw }: TestSimulator,
  customerId: string,
  { key, redirectUri }: { key: string; redirectUri?: string },
) =>
  raw("POST", `/customers/${customerId}/kyc-link`, {
    headers: { "idempotency-key": key, "content-type": "application/json" },
    body: JSON.stringify({ redirectUri }),
  });

const NOT_FOUND = { status: 404, code: "USER_NOT_FOUND" };

describe("a KYC link", () => {
  test.each([undefined, {}, { unheardOf: 1 }])(
    "is made without a redirectUri: %o",
    async (body) => {
      const customerId = await createCustomer(world());
      const { status, body: link } = await ask(customerId, body);
      expect(status).toBe(201);
      expect(link).toEqual({
        kycUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1\/kyc\/[0-9a-f]{32}$/),
        expiresAt: "2026-01-06T09:00:00.000Z",
        provider: "SUMSUB",
        token: expect.stringMatching(/^kyc_[A-Z2-7]{32}$/),
      });
    },
  );

  test("leads back to the redirectUri, encoded whole", async () => {
    const redirectUri = "https://shop.example/done?step=2&to=ü#end";
    const { body } = await ask(await createCustomer(world()), { redirectUri });
    expect(body.kycUrl).toContain("?redirect_uri=https%3A%2F%2Fshop.example%2Fdone%3Fstep%3D2%26");
    expect(new URL(body.kycUrl).searchParams.get("redirect_uri")).toBe(redirectUri);
  });

  test.each(["UNVERIFIED", "PENDING", "APPROVED", "REJECTED"])(
    "is made for a person and a business that is %s, without change or event",
    async (status) => {
      const [person, business] = [await createCustomer(world()), await createBusiness(world())];
      await setStatus(world(), person, { kycStatus: status });
      await setStatus(world(), business, { kybStatus: status });
      const before = (await told()).length;
      for (const id of [person, business]) {
        const shown = await customerOf(world(), id);
        expect((await ask(id)).status).toBe(201);
        expect(await customerOf(world(), id)).toEqual(shown);
      }
      expect(await told()).toHaveLength(before);
    },
  );

  test("is new with each call", async () => {
    const customerId = await createCustomer(world());
    const links = [];
    for (let n = 0; n < 5; n += 1) links.push((await ask(customerId)).body);
    expect(new Set(links.map(({ kycUrl }) => kycUrl)).size).toBe(5);
    expect(new Set(links.map(({ token }) => token)).size).toBe(5);
  });

  // spec/kyc-links.md#page
  test("does nothing when it is opened", async () => {
    const customerId = await createCustomer(world());
    const { body } = await ask(customerId, { redirectUri: "https://shop.example/done" });
    const shown = await customerOf(world(), customerId);
    for (let n = 0; n < 2; n += 1) {
      const page = await world().sim.fetch(new Request(body.kycUrl));
      expect(page.status).toBe(200);
      expect(page.headers.get("content-type")).toBe("text/plain; charset=utf-8");
      expect(await page.text()).toContain("Here it does nothing");
    }
    expect(await customerOf(world(), customerId)).toEqual(shown);
    expect(await told()).toEqual([]);
  });

  // spec/kyc-links.md#link-address
  test("leads to the host that the caller used", async () => {
    const { sim } = world();
    const customerId = await createCustomer(world());
    const { url } = await sim.listen();
    const headers = { authorization: `Basic ${btoa(`${sim.clientId}:${sim.clientSecret}`)}` };
    const path = `${url}/2025-10-13/customers/${customerId}/kyc-link`;
    const answer = await fetch(path, { method: "POST", headers });
    const { kycUrl } = (await answer.json()) as { kycUrl: string };
    expect(kycUrl.startsWith(`${url}/kyc/`)).toBe(true);
    expect((await fetch(kycUrl)).status).toBe(200);
  });
});

describe("the redirectUri of a KYC link", () => {
  test.each([
    "https://shop.example",
    "https://shop.example:8443/a/b?c=d#e",
    `https://shop.example/${"x".repeat(2048 - "https://shop.example/".length)}`,
    "http://localhost",
    "http://localhost:3000/done",
    "http://app.localhost:3000",
    "http://127.0.0.1:3000/done",
    "http://127.1.2.3/",
    "http://[::1]:3000/done",
  ])("may be %s", async (redirectUri) => {
    const { status, body } = await ask(await createCustomer(world()), { redirectUri });
    expect(status).toBe(201);
    expect(new URL(body.kycUrl).searchParams.get("redirect_uri")).toBe(redirectUri);
  });

  test.each([
    "",
    "shop.example",
    "//shop.example",
    "http://shop.example/done",
    "http://localhost.shop.example/",
    "http://127.0.0.1.shop.example/",
    "http://notlocalhost/",
    "ftp://shop.example",
    "shop://done",
    "javascript:alert(1)",
    "https:/shop.example",
    "https://",
    "https://shop example/",
    " https://shop.example",
    "https://shop.example\n",
    "https://shop.example/\u0000",
    "https://shop.example/\ud800",
    `https://shop.example/${"x".repeat(2049 - "https://shop.example/".length)}`,
    null,
    5,
    {},
    [],
  ])("cannot be %j", async (redirectUri) => {
    const customerId = await createCustomer(world());
    const act = () => ask(customerId, { redirectUri });
    await expectNothing(act, invalid("redirectUri"));
  });
});

// spec/kyc-links.md#errors
describe("a KYC link without a customer", () => {
  test.each([NOBODY, "none"])("is refused, whatever its body: %s", async (id) => {
    for (const body of [undefined, {}, { redirectUri: "nowhere" }])
      await expectNothing(() => ask(id, body), NOT_FOUND);
  });

  test("is refused for a deleted customer", async () => {
    const customerId = await createCustomer(world());
    await world().call("DELETE", `/customers/${customerId}`);
    await expectNothing(() => ask(customerId), NOT_FOUND);
  });
});

describe("a KYC link under a key", () => {
  test("is the same one again, and another one for another key or customer", async () => {
    const [ana, ben] = [await createCustomer(world()), await createCustomer(world())];
    const first = await keyed(world(), ana, { key: "k1" });
    expect(first.status).toBe(201);
    const again = await keyed(world(), ana, { key: "k1", redirectUri: "nowhere" });
    expect(again).toMatchObject({ status: 201, body: first.body });
    const urls = [
      first.body.kycUrl,
      (await keyed(world(), ana, { key: "k2" })).body.kycUrl,
      (await keyed(world(), ben, { key: "k1" })).body.kycUrl,
    ];
    expect(new Set(urls).size).toBe(3);
  });

  test("is stored for 24 hours, and so is a refusal", async () => {
    const customerId = await createCustomer(world());
    const first = await keyed(world(), customerId, { key: "k1" });
    const refused = await keyed(world(), customerId, { key: "k2", redirectUri: "nowhere" });
    expectRefused(refused, invalid("redirectUri"));
    expect((await keyed(world(), customerId, { key: "k2" })).body).toEqual(refused.body);
    await world().sim.advance("23h59m59s");
    expect((await keyed(world(), customerId, { key: "k1" })).body).toEqual(first.body);
    await world().sim.advance("1s");
    const later = await keyed(world(), customerId, { key: "k1" });
    expect(later.body.kycUrl).not.toBe(first.body.kycUrl);
    expect(later.body.expiresAt).toBe("2026-01-07T09:00:00.000Z");
  });

  test("survives a restart", async () => {
    const directory = new StateDirectory();
    const before = await startTestSimulator({ storage: directory.url });
    const customerId = await createCustomer(before);
    const { body } = await keyed(before, customerId, { key: "k1" });
    await before.sim.close();
    const after = await reopen(directory);
    expect((await keyed(after, customerId, { key: "k1" })).body).toEqual(body);
    await after.sim.close();
    directory.remove();
  });
});

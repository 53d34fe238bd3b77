import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allowEntryOf, reachOf } from "../../src/contract/core/network-reach.ts";
import { attemptDelivery } from "../../src/webhooks/attempt.ts";
import { LOCAL_TARGETS, type Resolve, WebhookTargets } from "../../src/webhooks/targets.ts";

let calls: string[] = [];
const server = createServer((request, response) => {
  calls.push(`${request.headers.host} at ${request.socket.localAddress}`);
  response.end("the answer");
});
const port = () => (server.address() as AddressInfo).port;
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

const entries = (texts: readonly string[]) => texts.flatMap((text) => allowEntryOf(text) ?? []);

/** Look-ups of made-up names: each takes the next answer, and the last one repeats. */
const names = (answers: Record<string, readonly (readonly string[])[]>) => {
  const asked: Record<string, number> = {};
  const resolve: Resolve = (name, _options, done) => {
    const turn = asked[name] ?? 0;
    asked[name] = turn + 1;
    const addresses = answers[name]?.[Math.min(turn, (answers[name]?.length ?? 0) - 1)] ?? [];
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
  };
  return { resolve, asked };
};

const attempt = (url: string, targets?: WebhookTargets) => {
  calls = [];
  const body = Buffer.from("{}");
  return attemptDelivery({ url, body, headers: {}, timeoutMs: 5000, ...(targets && { targets }) });
};

describe("who may be called", () => {
  const never = { near: "refused", far: "refused", listed: "refused" };
  const local = { near: "called", far: "refused", listed: "called" };
  const open = { near: "called", far: "called", listed: "called" };
  test.each([
    { address: "169.254.169.254", ...never },
    { address: "::ffff:169.254.169.254", ...never },
    { address: "fe80::1", ...never },
    { address: "fd00:ec2::254", ...never },
    { address: "127.0.0.1", ...local },
    { address: "::1", ...local },
    { address: "0.0.0.0", ...local },
    { address: "::", ...local },
    { address: "::ffff:127.0.0.1", ...local },
    { address: "10.0.0.5", ...local },
    { address: "192.168.0.9", ...local },
    { address: "fd12::1", ...local },
    { address: "8.8.8.8", ...open },
    { address: "2606:4700::1111", ...open },
  ])("$address: on loopback $near, beyond $far, named $listed", (row) => {
    const { address, near, far, listed } = row;
    const wide = entries(["0.0.0.0/0", "::/0"]);
    const judge = (isLoopback: boolean, allowed = entries([])) => {
      const targets = new WebhookTargets({ isLoopback: () => isLoopback, allowed });
      return targets.refusal(address, address) === undefined ? "called" : "refused";
    };
    expect([judge(true), judge(false), judge(false, wide)]).toEqual([near, far, listed]);
  });
});

describe("an attempt", () => {
  test.each([
    "http://169.254.169.254/latest/meta-data",
    "http://[::ffff:169.254.169.254]/",
    "http://[fe80::1]/",
    "http://2852039166/",
    "http://0xa9.0xfe.0xa9.0xfe/",
    "https://169.254.169.254./",
  ])("at %s fails without a connection, also where no policy is given", async (url) => {
    const answer = await attempt(url);
    expect(answer).not.toHaveProperty("httpStatus");
    expect(answer.error).toMatch(/^not called: .* is a link-local or metadata address$/);
  });

  test.each([
    { url: "http://127.0.0.1:9/hook", found: "127.0.0.1 is a loopback address", of: "127.0.0.1" },
    { url: "http://[::1]:9/", found: "::1 is a loopback address", of: "::1" },
    { url: "http://10.1.2.3/", found: "10.1.2.3 is a private address", of: "10.1.2.3" },
    {
      url: "http://localhost/",
      found: "localhost (127.0.0.1) is a loopback address",
      of: "localhost",
    },
    {
      url: "https://a.localhost/",
      found: "a.localhost (127.0.0.1) is a loopback address",
      of: "a.localhost",
    },
  ])("beyond loopback $url is never called, which its address tells", ({ url, found, of }) => {
    const beyond = new WebhookTargets({ isLoopback: () => false });
    expect(beyond.refusalOf(url)).toBe(
      `not called: ${found}; start with --allow-webhook-target ${of}`,
    );
    expect(LOCAL_TARGETS.refusalOf(url)).toBeUndefined();
    const allowed = entries([of]);
    const allowing = new WebhookTargets({ isLoopback: () => false, allowed });
    expect(allowing.refusalOf(url)).toBeUndefined();
  });

  test.each(["http://shop.example/", "http://1.1.1.1/"])("%s may be called", (url) => {
    const beyond = new WebhookTargets({ isLoopback: () => false });
    expect(beyond.refusalOf(url)).toBeUndefined();
  });

  test("localhost may be called while one of its addresses may", () => {
    const allowed = entries(["::1"]);
    const targets = new WebhookTargets({ isLoopback: () => false, allowed });
    expect(targets.refusalOf("http://localhost:9/")).toBeUndefined();
  });

  test("beyond loopback the refusal names the option that allows it", async () => {
    const targets = new WebhookTargets({ isLoopback: () => false });
    expect((await attempt(`http://127.0.0.1:${port()}/`, targets)).error).toBe(
      "not called: 127.0.0.1 is a loopback address; start with --allow-webhook-target 127.0.0.1",
    );
    expect(calls).toEqual([]);
  });

  test("a name is judged by what it resolves to", async () => {
    const { resolve } = names({ shop: [["127.0.0.1"]], metadata: [["169.254.169.254"]] });
    const near = new WebhookTargets({ isLoopback: () => true, resolve });
    const far = new WebhookTargets({ isLoopback: () => false, resolve });
    const allowed = entries(["shop"]);
    const named = new WebhookTargets({ isLoopback: () => false, resolve, allowed });
    const url = `http://shop:${port()}/`;
    expect((await attempt("http://metadata/", near)).error).toBe(
      "not called: metadata (169.254.169.254) is a link-local or metadata address",
    );
    expect(await attempt(url, near)).toMatchObject({ httpStatus: 200, isLoopback: true });
    expect((await attempt(url, far)).error).toBe(
      "not called: shop (127.0.0.1) is a loopback address; start with --allow-webhook-target shop",
    );
    expect(calls).toEqual([]);
    expect(await attempt(url, named)).toMatchObject({ httpStatus: 200 });
  });

  test("a name is judged again at each call, and looked up once", async () => {
    const { resolve, asked } = names({ turncoat: [["127.0.0.1"], ["169.254.169.254"]] });
    const targets = new WebhookTargets({ isLoopback: () => true, resolve });
    const url = `http://turncoat:${port()}/`;
    expect(await attempt(url, targets)).toMatchObject({ httpStatus: 200 });
    expect(asked.turncoat).toBe(1);
    expect(calls).toEqual([`turncoat:${port()} at 127.0.0.1`]);
    expect((await attempt(url, targets)).error).toContain("169.254.169.254");
    expect(calls).toEqual([]);
  });

  test("of several addresses only those are called that may be", async () => {
    const { resolve } = names({ mixed: [["fe80::1", "169.254.169.254", "127.0.0.1"]] });
    const targets = new WebhookTargets({ isLoopback: () => true, resolve });
    expect(await attempt(`http://mixed:${port()}/`, targets)).toMatchObject({ httpStatus: 200 });
    expect(calls).toEqual([`mixed:${port()} at 127.0.0.1`]);
  });

  test("a name without an address is a failed attempt", async () => {
    const { resolve } = names({});
    const targets = new WebhookTargets({ isLoopback: () => true, resolve });
    expect((await attempt("http://nobody/", targets)).error).toContain("nobody has no address");
  });
});

const outside = Object.values(networkInterfaces())
  .flatMap((list) => list ?? [])
  .find(({ address, family }) => family === "IPv4" && reachOf(address) !== "loopback")?.address;

test.skipIf(outside === undefined)("an answer from beyond loopback is known as one", async () => {
  expect(await attempt(`http://${outside}:${port()}/`)).toMatchObject({
    httpStatus: 200,
    reply: "the answer",
    isLoopback: false,
  });
});

test("a text that is no URL is refused like any target", () => {
  for (const text of ["nonsense", "", "http://", "//host"])
    expect(LOCAL_TARGETS.refusalOf(text)).toBe(`not called: ${text} is not a URL`);
});

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";
import { rawCall } from "./setup/raw-call.ts";

let world: TestSimulator;
let port: number;

const listenOn = async (host: string) => {
  world = await startTestSimulator({ host });
  port = (await world.sim.listen({ host })).port;
};

beforeEach(() => listenOn("127.0.0.1"));

afterEach(() => world.sim.close());

const call = async (path: string, headers: object, method = "GET") => {
  const { status, text } = await rawCall(port, { method, path, headers });
  return { status, text, code: text.startsWith("{") ? JSON.parse(text).error?.code : undefined };
};

/** `PORT` stands for the port of the simulator. */
const withPort = (text: string) => text.replace("PORT", String(port));

test.each([
  "127.0.0.1:PORT",
  "127.0.0.1",
  "localhost:PORT",
  "LocalHost:PORT",
  "[::1]:PORT",
  "payments.localhost:PORT",
  "a.B-c.localhost",
])("a call as %s is answered", async (host) => {
  expect(await call("/_sim/status", { host: withPort(host) })).toMatchObject({ status: 200 });
});

test.each([
  "evil.example",
  "evil.example:PORT",
  "127.0.0.1.evil.example:PORT",
  "localhost.evil.example:PORT",
  "evil-localhost",
  ".localhost",
  "a@b.localhost",
  "localhost.localdomain",
  "10.0.0.1:PORT",
  "169.254.169.254",
  "0.0.0.0:PORT",
  "127.0.0.1@evil.example",
  "[::ffff:10.0.0.1]:PORT",
])("a call as %s is refused", async (host) => {
  const answer = await call("/_sim/status", { host: withPort(host) });
  expect(answer).toMatchObject({ status: 403, code: "HOST_NOT_ALLOWED" });
});

test.each([
  { host: "host.docker.internal:PORT", name: "host.docker.internal" },
  { host: "Sim", name: "sim" },
  { host: "`rm -rf`", name: "<name>" },
])("the refusal of $host names --allow-host", async ({ host, name }) => {
  const { text } = await call("/_sim/status", { host: withPort(host) });
  expect(JSON.parse(text).error.next).toEqual([
    `Call it as 127.0.0.1 or localhost, or start it with --allow-host ${name}`,
  ]);
});

test.each(["http://127.0.0.1:PORT", "http://localhost:PORT", "http://a.localhost:PORT"])(
  "a page of the simulator itself may call: %s",
  async (origin) => {
    const host = withPort(origin).replace("http://", "");
    expect(await call("/_sim/status", { host, origin: withPort(origin) })).toMatchObject({
      status: 200,
    });
  },
);

test.each([
  "http://evil.example",
  "https://127.0.0.1.evil.example",
  "http://127.0.0.1:1",
  "http://localhost",
  "null",
  "file://",
  "chrome-extension://abc",
])("a page of %s is refused", async (origin) => {
  const answer = await call("/_sim/status", { host: `127.0.0.1:${port}`, origin });
  expect(answer).toMatchObject({ status: 403, code: "ORIGIN_NOT_ALLOWED" });
});

const fetched = (site: string, mode = "no-cors", dest = "image") => ({
  host: `127.0.0.1:${port}`,
  "sec-fetch-site": site,
  "sec-fetch-mode": mode,
  "sec-fetch-dest": dest,
});

describe("without an Origin, a browser's Sec-Fetch-Site counts", () => {
  const refused = { status: 403, code: "ORIGIN_NOT_ALLOWED" };

  test.each(["cross-site", "same-site", "cross-origin", "same-origin, cross-site", ""])(
    "%j is refused, whatever asks for it",
    async (site) => {
      for (const path of ["/_sim/status", "/_sim/requests", "/_sim/inbox", "/_sim/nothing"])
        expect(await call(path, fetched(site))).toMatchObject(refused);
      expect(await call("/_sim/status", fetched(site, "navigate", "document"))).toMatchObject(
        refused,
      );
      expect(await call("/_sim/reset", fetched(site), "POST")).toMatchObject(refused);
    },
  );

  test.each(["same-origin", "none"])("%s is answered", async (site) => {
    expect(await call("/_sim/status", fetched(site, "cors", "empty"))).toMatchObject({
      status: 200,
    });
  });

  // spec/console.md#documents
  test.each(["cross-site", "same-site"])(
    "the documents are for a link from %s too",
    async (site) => {
      const followed = fetched(site, "navigate", "document");
      expect(await call("/_sim/docs", followed)).toMatchObject({ status: 200 });
      expect(await call("/_sim/docs/spec/quotes", followed)).toMatchObject({ status: 200 });
    },
  );

  test("nothing can be sent to the documents", async () => {
    const sent = fetched("cross-site", "navigate", "document");
    expect(await call("/_sim/docs", sent, "POST")).toMatchObject(refused);
  });
});

test("a page whose name was rebound to loopback is refused", async () => {
  const host = `rebound.example:${port}`;
  const answer = await call("/_sim/status", { host, origin: `http://${host}` });
  expect(answer).toMatchObject({ status: 403, code: "HOST_NOT_ALLOWED" });
});

const PATHS = [
  "/_sim/status",
  "/_sim/status?a=b",
  "/_sim/status/",
  "/_sim//status",
  "//_sim/status",
  "/./_sim/status",
  "/_sim/./status",
  "/_sim/live/../status",
  "/_sim/webhooks/key/../../status",
  "/2025-10-13/../_sim/status",
  "/2025-10-13/%2e%2e/_sim/status",
  "/2025-10-13/config/../../_sim/status",
  "/2025-10-13\\..\\_sim\\status",
  "/anything/../_sim/status",
  "/%5fsim/status",
  "/_sim/%73tatus",
  "/_sim%2fstatus",
  "/_SIM/status",
  "/_sim;/status",
  "http://127.0.0.1/_sim/status",
  "http://localhost/_sim/status",
];

test.each(PATHS)("no spelling of a path goes around the guard: %s", async (path) => {
  for (const headers of [
    { host: "evil.example" },
    { host: `127.0.0.1:${port}`, origin: "http://evil.example" },
  ]) {
    const { status, text } = await call(path, headers);
    expect([400, 403, 404]).toContain(status);
    expect(text).not.toContain("journalBytes");
  }
});

test.each(["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"])(
  "%s by a foreign page does nothing and allows nothing",
  async (method) => {
    await world.call("POST", "/customers", { customerType: "INDIVIDUAL" });
    const { status, headers } = await rawCall(port, {
      method,
      path: "/_sim/reset",
      headers: { host: `127.0.0.1:${port}`, origin: "http://evil.example" },
    });
    expect(status).toBe(403);
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    expect((await world.call("GET", "/customers")).body.totalCount).toBe(1);
  },
);

test("the platform's own surface answers under any name", async () => {
  const authorization = `Basic ${btoa(`${world.sim.clientId}:${world.sim.clientSecret}`)}`;
  const answer = await call("/2025-10-13/config", { host: "sim.internal:4747", authorization });
  expect(answer.status).toBe(200);
});

test("beyond loopback every call needs the control token, whatever it calls itself", async () => {
  await world.sim.close();
  await listenOn("0.0.0.0");
  const host = `127.0.0.1:${port}`;
  const status = async (authorization?: string) => {
    const headers = { host, ...(authorization !== undefined && { authorization }) };
    return call("/_sim/status", headers);
  };
  const needed = { status: 401, code: "CONTROL_TOKEN_NEEDED" };
  expect(await status()).toMatchObject(needed);
  expect(await status("Bearer wrong")).toMatchObject(needed);
  expect(await status(`Basic ${btoa(`x:${world.sim.controlToken}`)}`)).toMatchObject(needed);
  expect(await status(`Bearer ${world.sim.controlToken}`)).toMatchObject({ status: 200 });
  expect(await call("/_sim/nothing", { host })).toMatchObject(needed);
});

test.each(["/_sim/live", "/_sim/ready", "/_sim/webhooks/key"])(
  "beyond loopback %s needs no token",
  async (path) => {
    await world.sim.close();
    await listenOn("0.0.0.0");
    expect(await call(path, { host: `sim.internal:${port}` })).toMatchObject({ status: 200 });
  },
);

import { readFileSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { GENEROUS } from "../../setup/agents.ts";
import { benchPerTest } from "../setup/place-per-test.ts";
import { Workbench } from "../setup/workbench.ts";

const place = benchPerTest();

const SECRET = "hosted-client-secret-4711";
const BASE = "/2025-10-13";

type Answering = (call: { method: string; url: string; headers: object; body: string }) => {
  status: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
};

/** A hosted service in miniature: its answers are what a test says. */
const hosted = async (answering: Answering) => {
  const seen: { method: string; url: string; headers: string[]; body: string }[] = [];
  const server = createServer((incoming, answer) => {
    const parts: Buffer[] = [];
    incoming.on("data", (part) => parts.push(part));
    incoming.on("end", () => {
      const { method = "", url = "", rawHeaders, headers } = incoming;
      const body = Buffer.concat(parts).toString("utf8");
      seen.push({ method, url, headers: rawHeaders, body });
      const { status, headers: own, body: text } = answering({ method, url, headers, body });
      answer.writeHead(status, own);
      answer.end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
};

const capturing = async (url: string, options = "") => {
  const started = place().command(`capture ${url} --json ${options}`);
  const line = await started.firstLine();
  if (line === undefined)
    throw new Error(`Expected a line but found ${(await started.ended).stderr}`);
  const { apiUrl } = JSON.parse(line) as { apiUrl: string };
  return { started, apiUrl };
};

const basic = (user: string, password: string) => `Basic ${btoa(`${user}:${password}`)}`;

const caller =
  (apiUrl: string, authorization: string) =>
  async (line: string, body?: unknown, headers: object = {}) => {
    const [method = "", path = ""] = line.split(" ");
    const answer = await fetch(apiUrl + path, {
      method,
      headers: {
        ...(authorization && { authorization }),
        connection: "close",
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      text,
      body: text.startsWith("{") ? JSON.parse(text) : undefined,
    };
  };

const captured = () => readFileSync(place().file("captured.json"), "utf8");

// spec/scenarios.md#capture
test("a session at another simulator is played green, and its secrets are nowhere", async () => {
  const elsewhere = new Workbench();
  onTestFinished(() => elsewhere.close());
  const sim = await elsewhere.start(
    `--brand acme --seed other --client-id hosted-client --client-secret ${SECRET} --clock manual`,
  );
  const { started, apiUrl } = await capturing(sim.ready.apiUrl, "--brand acme");
  expect(new URL(apiUrl).pathname).toBe(BASE);
  const call = caller(apiUrl, basic("hosted-client", SECRET));

  const customer = await call("POST /customers", {
    customerType: "INDIVIDUAL",
    email: "ada@example.com",
  });
  expect(customer.status).toBe(201);
  const { id: customerId } = customer.body;
  const accounts = async (query: string) =>
    (await call(`GET /customers/internal-accounts?customerId=${customerId}&${query}`)).body.data;
  const [{ id: usd }] = await accounts("currency=USD");
  await call(`POST /sandbox/internal-accounts/${usd}/fund`, { amount: 100_000 });
  const payee = await call("POST /customers/external-accounts", {
    customerId,
    currency: "MXN",
    accountInfo: {
      accountType: "MXN_ACCOUNT",
      clabeNumber: "646180110400000999",
      beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ana Flores" },
    },
  });
  const quote = await call("POST /quotes", {
    source: { sourceType: "ACCOUNT", accountId: usd },
    destination: { destinationType: "ACCOUNT", accountId: payee.body.id },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 25_000,
  });
  expect(quote.text).toContain("acmeApi");
  expect((await call(`POST /quotes/${quote.body.id}/execute`)).status).toBe(200);
  expect((await call("GET /transactions?limit=5")).status).toBe(200);
  expect((await call("GET /quotes/Quote:00000000-0000-7000-8000-000000000000")).status).toBe(404);

  const [{ id: wallet }] = await accounts("type=EMBEDDED_WALLET");
  const email = await call("POST /auth/credentials", { type: "EMAIL_OTP", accountId: wallet });
  const keys = JSON.parse((await place().run("keys create --json")).stdout);
  const session = await call(`POST /auth/credentials/${email.body.id}/verify`, {
    type: "EMAIL_OTP",
    otp: "000000",
    clientPublicKey: keys.publicKey,
  });
  expect(session.status).toBe(200);
  const path = `/auth/sessions/${session.body.id}`;
  const asked = await call(`DELETE ${path}`);
  expect(asked.status).toBe(202);
  const signed = await call(`DELETE ${path}`, undefined, {
    "acme-wallet-signature": "sandbox-valid-signature",
    "request-id": asked.body.requestId,
  });
  expect(signed.status).toBe(204);
  const token = await call("POST /tokens", { name: "ci", permissions: ["VIEW"] });
  const agent = await call("POST /agents", {
    name: "Buyer",
    customerId,
    policy: GENEROUS,
  });

  const ended = await started.kill("SIGINT");
  expect(ended).toMatchObject({ code: 0 });
  const file = captured();
  for (const secret of [
    SECRET,
    "hosted-client",
    token.body.clientSecret,
    session.body.encryptedSessionSigningKey,
    agent.body?.deviceCode?.code,
    keys.privateKey,
  ])
    if (secret !== undefined)
      expect([file.includes(secret), ended.stdout.includes(secret)]).toEqual([false, false]);
  expect(file).not.toContain("acme");

  await sim.stop();
  await place().start("--clock manual");
  const run = await place().run("run ./captured.json");
  expect(run, run.stdout).toMatchObject({ code: 0 });
});

test("what passes is as it was sent and answered, byte by byte", async () => {
  const zipped = gzipSync(JSON.stringify({ status: "zipped" }));
  const { origin, seen } = await hosted(({ url, method }) => {
    if (url.includes("/gzip"))
      return {
        status: 200,
        headers: { "content-type": "application/json", "content-encoding": "gzip" },
        body: zipped,
      };
    if (url.includes("/none")) return { status: 204 };
    if (method === "HEAD")
      return { status: 200, headers: { "x-own": "yes", "content-length": "7" } };
    return { status: 418, headers: { "X-Own": "a", "content-type": "text/plain" }, body: "teapot" };
  });
  const { started, apiUrl } = await capturing(`${origin}${BASE}`);
  const raw = (line: string, headers: string[] = [], body?: string) =>
    new Promise<{ status: number; headers: string[]; body: Buffer }>((resolve, reject) => {
      const [method = "", path = ""] = line.split(" ");
      const asked = request(
        apiUrl + path,
        { method, headers: ["Host", "localhost", ...headers] as never },
        (got) => {
          const parts: Buffer[] = [];
          got.on("data", (part) => parts.push(part));
          got.on("end", () =>
            resolve({
              status: got.statusCode ?? 0,
              headers: got.rawHeaders,
              body: Buffer.concat(parts),
            }),
          );
        },
      );
      asked.on("error", reject);
      asked.end(body);
    });
  expect((await raw("GET /gzip?a=1%2C2&a=b%20c")).body).toEqual(zipped);
  expect(await raw("DELETE /none")).toMatchObject({ status: 204, body: Buffer.alloc(0) });
  const head = await raw("HEAD /quotes");
  expect(head.headers.join("|")).toContain("x-own|yes|content-length|7");
  const chunked = [
    "Transfer-Encoding",
    "chunked",
    "content-type",
    "application/json",
    "X-Mine",
    "ü",
  ];
  const odd = await raw("POST /Customer%3A1/%C3%BC", chunked, '{"a":1}');
  expect([odd.status, odd.body.toString()]).toEqual([418, "teapot"]);
  await started.kill("SIGINT");
  expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
    `GET ${BASE}/gzip?a=1%2C2&a=b%20c`,
    `DELETE ${BASE}/none`,
    `HEAD ${BASE}/quotes`,
    `POST ${BASE}/Customer%3A1/%C3%BC`,
  ]);
  expect(seen.at(-1)?.body).toBe('{"a":1}');
  const headers = seen.at(-1)?.headers.join("|") ?? "";
  expect(headers).toContain("X-Mine|");
  expect(headers).toContain(`Host|${new URL(origin).host}`);
  const { steps } = JSON.parse(captured());
  expect(steps[0].expect).toEqual({ status: 200, body: { status: "zipped" } });
});

test("a service that cannot be reached is a 502 that says so, and the call is left out", async () => {
  const { started, apiUrl } = await capturing(`http://127.0.0.1:9${BASE}`);
  const answer = await caller(apiUrl, "")("GET /config");
  await caller(apiUrl, "")("POST /agents/device-codes/SERVICE-AGENT-AB12-CD34/redeem");
  expect(answer.status).toBe(502);
  expect(answer.body).toMatchObject({ status: 502, code: "TARGET_UNREACHABLE" });
  expect(answer.body.message).toContain("http://127.0.0.1:9 could not be reached: ECONNREFUSED");
  const { code, stderr, stdout } = await started.kill("SIGTERM");
  expect(code).toBe(0);
  expect(stdout + stderr).toContain(`GET ${BASE}/config skipped: `);
  expect(stdout + stderr).toContain(`POST ${BASE}/agents/device-codes/[redacted]/redeem skipped: `);
  expect(stdout + stderr).not.toContain("AB12");
});

test("credentials of production are refused, and nothing is sent", async () => {
  const { origin, seen } = await hosted(() => ({ status: 200 }));
  const options = "--production-prefix acme_live_";
  const { started, apiUrl } = await capturing(`${origin}${BASE}`, options);
  for (const authorization of [
    basic("id", "acme_live_4711"),
    basic("id", "sk_live_4711"),
    basic("prod_shop", "x"),
    "Bearer live_4711",
  ]) {
    const answer = await caller(apiUrl, authorization)("POST /customers", {});
    expect([answer.status, answer.body.code], authorization).toEqual([403, "FORBIDDEN"]);
    expect(answer.body.message).toContain("like production credentials");
  }
  const { stdout, stderr } = await started.kill("SIGINT");
  expect(seen).toEqual([]);
  expect(stdout + stderr).not.toContain("4711");
});

test("with a command it ends with it, has its exit code, and names the address to it", async () => {
  const { origin } = await hosted(() => ({
    status: 200,
    headers: { "content-type": "application/json" },
    body: '{"status":"COMPLETED"}',
  }));
  const script = `fetch(process.env.SERVICE_SIM_API_URL + "/quotes/Quote:1").then(({ status }) => {
    process.exitCode = status === 200 ? 7 : 1;
  });`;
  const args = ["capture", `${origin}${BASE}`, "--output", "made.json", "--"];
  const { code, stdout } = await place().command([...args, process.execPath, "-e", script]).ended;
  expect(code).toBe(7);
  expect(stdout).toContain("made.json: 1 step\n");
  expect(place().readJson("made.json")).toEqual({
    name: "made",
    steps: [
      {
        request: { method: "GET", path: "/quotes/Quote:1" },
        expect: { status: 200, body: { status: "COMPLETED" } },
      },
    ],
  });
});

test("a file that exists is kept, before anything listens", async () => {
  writeFileSync(place().file("captured.json"), "mine");
  const refused = await place().run(`capture http://127.0.0.1:9${BASE}`);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("captured.json already exists");
  expect(refused.stdout).toBe("");
  expect(captured()).toBe("mine");
  const { started } = await capturing(`http://127.0.0.1:9${BASE}`, "--force");
  await started.kill("SIGKILL");
  expect(captured()).toBe("mine");
});

test.each([
  ["nowhere", 'Expected the base URL of an API but found "nowhere"'],
  ["ftp://a.test/x", 'Expected the base URL of an API but found "ftp://a.test/x"'],
  ["https://id:secret@a.test/x", "Expected a base URL without credentials, query and fragment"],
  ["https://a.test/x?y=1", "Expected a base URL without credentials, query and fragment"],
])("%s is refused", async (url, says) => {
  const { code, stderr } = await place().run(["capture", url]);
  expect(code).toBe(2);
  expect(stderr).toContain(says);
});

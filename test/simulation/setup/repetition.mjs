import { createECDH, createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

// One seeded history of calls and clock steps, and the hashes of what came of it. Plain JavaScript:
// every Node.js runs it as it stands. Arguments: the built library, and how often to run it. The
// environment variable DETERMINISTIC_SIGNATURES also compares the signature headers.

const [, , library, times = "1"] = process.argv;
const { createSimulator } = await import(pathToFileURL(library).href);
const deterministicSignatures = process.env.DETERMINISTIC_SIGNATURES === "1";

const MAGIC_SIGNATURE = "sandbox-valid-signature";
const sha = (parts) => createHash("sha256").update(JSON.stringify(parts)).digest("hex");

/** A receiver that fails every fifth first attempt. */
const startReceiver = async () => {
  const bodies = new Map();
  const signatures = new Map();
  const server = createServer((request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      const { id } = JSON.parse(body);
      const isFirst = !bodies.has(id);
      bodies.set(id, body);
      signatures.set(id, request.headers["x-service-signature"]);
      const fails = isFirst && Number.parseInt(id.slice(-1), 16) % 5 === 0;
      response.writeHead(fails ? 500 : 200).end();
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  return { bodies, signatures, server, port, url: `http://127.0.0.1:${port}/hooks` };
};

/** Calls of the platform and of the control surface, each noted with its reply. */
class Caller {
  replies = [];

  constructor(sim) {
    this.sim = sim;
    this.own = `Basic ${btoa(`${sim.clientId}:${sim.clientSecret}`)}`;
  }

  async send(url, method, { body, headers = {}, text } = {}) {
    const sent = text ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await this.sim.fetch(
      new Request(url, {
        method,
        headers: { ...(sent !== undefined && { "content-type": "application/json" }), ...headers },
        ...(sent !== undefined && { body: sent }),
      }),
    );
    const answered = await response.text();
    const shown = Object.fromEntries([...response.headers].sort(([a], [b]) => (a < b ? -1 : 1)));
    this.replies.push([method, url, response.status, shown, withoutSpans(answered)]);
    return { status: response.status, body: answered === "" ? undefined : parsed(answered) };
  }

  async call(...[method, path, body, headers = {}]) {
    return this.send(this.sim.apiUrl + path, method, {
      body,
      headers: { authorization: this.own, ...headers },
    });
  }

  async control(method, path, body) {
    return this.send(this.sim.controlUrl + path, method, { body });
  }

  /** Both halves of a signed call, by the magic value. */
  async signed(method, path, body) {
    const first = await this.call(method, path, body);
    if (first.status !== 202) return first;
    const headers = {
      "service-wallet-signature": MAGIC_SIGNATURE,
      "request-id": first.body.requestId,
    };
    return this.call(method, path, body, headers);
  }
}

const parsed = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** When an attempt ended is a matter of the machine: between two calls, or during an advance. */
const withoutAttempts = (text) => {
  if (!text.includes('"webhookCount"')) return text;
  const { webhooks: _attempts, webhookCount: _count, ...report } = JSON.parse(text);
  return JSON.stringify(report);
};

/** Spans of wall time, and the distance to it, are nothing that repeats. */
const withoutSpans = (text) =>
  withoutAttempts(text)
    .replace(/"tookMs":\d+/g, '"tookMs":0')
    .replace(/"aheadMs":-?\d+/g, '"aheadMs":0');

const publicKey = () => {
  const keys = createECDH("prime256v1");
  keys.setPrivateKey("11".repeat(32), "hex");
  return keys.getPublicKey("hex", "uncompressed");
};

const payments = async (one) => {
  const { body: customer } = await one.call("POST", "/customers", {
    customerType: "INDIVIDUAL",
    fullName: "Ada Byron",
    email: "ada@example.com",
  });
  const query = `customerId=${customer.id}&currency=USD`;
  const { body: accounts } = await one.call("GET", `/customers/internal-accounts?${query}`);
  const accountId = accounts.data[0].id;
  await one.call("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 5_000_000 });
  for (const suffix of ["001", "002", "003", "004", "005", "006", "007", "999"]) {
    const { body: payee } = await one.call("POST", "/customers/external-accounts", {
      customerId: customer.id,
      currency: "MXN",
      accountInfo: {
        accountType: "MXN_ACCOUNT",
        clabeNumber: `646180110400000${suffix}`,
        beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ana Flores" },
      },
    });
    const { body: quote } = await one.call(
      "POST",
      "/quotes",
      {
        source: { sourceType: "ACCOUNT", accountId },
        destination: { destinationType: "ACCOUNT", accountId: payee.id },
        lockedCurrencySide: "SENDING",
        lockedCurrencyAmount: 25_000,
      },
      { "idempotency-key": `quote-${suffix}` },
    );
    await one.call("POST", `/quotes/${quote.id}/execute`);
    await one.call("POST", `/quotes/${quote.id}/execute`);
    await one.call("GET", `/quotes/${quote.id}`);
    await one.call("GET", `/transactions/${quote.transactionId}`);
    await one.control("POST", "/clock/advance", { by: "10s" });
  }
  await one.control("POST", "/clock/advance", { by: "10m" });
  await one.call("GET", "/transactions?limit=50");
  return { customerId: customer.id, accountId };
};

const wallets = async (one, customerId) => {
  const query = `customerId=${customerId}&type=EMBEDDED_WALLET`;
  const { body: found } = await one.call("GET", `/customers/internal-accounts?${query}`);
  const accountId = found.data[0].id;
  const { body: credential } = await one.call("POST", "/auth/credentials", {
    type: "EMAIL_OTP",
    accountId,
    email: "ada@example.com",
  });
  const path = `/auth/credentials/${credential.id}`;
  await one.call("POST", `${path}/challenge`, { type: "EMAIL_OTP" });
  await one.call("POST", `${path}/verify`, { type: "EMAIL_OTP", otp: "999999" });
  for (const otp of ["000000", "000000"])
    await one.call("POST", `${path}/verify`, {
      type: "EMAIL_OTP",
      otp,
      clientPublicKey: publicKey(),
    });
  const { body: sessions } = await one.call("GET", `/auth/sessions?accountId=${accountId}`);
  for (const { id } of sessions.data) await one.signed("DELETE", `/auth/sessions/${id}`);
  await one.signed("POST", `/internal-accounts/${accountId}/export`, {
    clientPublicKey: publicKey(),
  });
  await one.control("GET", "/inbox");
  await one.control("GET", "/oidc/jwks");
};

const cards = async (one, { customerId, accountId }) => {
  for (const descriptor of ["NORTH PIER BOOKS", "HARBOUR CAFE", "SOUTH GATE FUEL"]) {
    const { body: card } = await one.call("POST", "/cards", {
      form: "VIRTUAL",
      cardholderId: customerId,
      fundingSources: [accountId],
    });
    await one.call("GET", `/cards/${card.id}`);
    const simulate = `/sandbox/cards/${card.id}/simulate`;
    const { body: paid } = await one.call("POST", `${simulate}/authorization`, {
      amount: 1_250,
      currency: { code: "USD" },
      merchant: { descriptor },
    });
    for (const amount of [1_000, 500])
      await one.call("POST", `${simulate}/clearing`, { cardTransactionId: paid.id, amount });
    await one.call("POST", `${simulate}/return`, { cardTransactionId: paid.id, amount: 300 });
    await one.signed("PATCH", `/cards/${card.id}`, { state: "FROZEN" });
    await one.control("POST", "/clock/advance", { by: "31s" });
  }
  await one.call("GET", "/cards");
};

const agents = async (one, { customerId, accountId }) => {
  const policy = {
    permissions: ["VIEW_TRANSACTIONS", "CREATE_TRANSFERS", "CREATE_QUOTES", "EXECUTE_QUOTES"],
    defaultExecutionMode: "AUTO",
    spendingLimits: { currency: "USD", perTransactionLimit: 40_000 },
    approvalThresholds: { currency: "USD", amount: 10_000 },
  };
  const { body: payee } = await one.call("POST", "/customers/external-accounts", {
    customerId,
    currency: "USD",
    accountInfo: {
      accountType: "USD_ACCOUNT",
      accountNumber: "000123999",
      routingNumber: "021000021",
      beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Hugo Brandt" },
    },
  });
  for (const name of ["Invoice bot", "Travel bot"]) {
    const { body: made } = await one.call("POST", "/agents", { name, customerId, policy });
    const code = `/agents/device-codes/${made.deviceCode?.code}`;
    await one.call("GET", `${code}/status`);
    const { body: redeemed } = await one.call("POST", `${code}/redeem`);
    const agent = { authorization: `Bearer ${redeemed.accessToken}` };
    for (const amount of [5_000, 20_000, 50_000]) {
      const { body: action } = await one.call(
        "POST",
        "/agents/me/transfer-out",
        {
          source: { accountId },
          destination: { accountId: payee.id },
          amount,
        },
        agent,
      );
      const decided = `/agents/${made.agent?.id}/actions/${action?.id}`;
      await one.call("POST", `${decided}/${amount > 10_000 ? "approve" : "reject"}`);
      await one.control("POST", "/clock/advance", { by: "6s" });
    }
    await one.call("GET", "/agents/me/actions", undefined, agent);
    await one.call("GET", "/agents/me/transactions", undefined, agent);
  }
};

/** Bodies that are refused: no word of theirs may come from the engine. */
const refusals = async (one) => {
  const texts = ["{", '{"a":}', "[1,]", '{"a" 1}', "nul", '"a', '{"a":1}}', '{"\\x":1}'];
  for (const text of texts)
    await one.send(`${one.sim.apiUrl}/customers`, "POST", {
      text,
      headers: { authorization: one.own },
    });
  for (const body of [{}, [], { customerType: "X" }, { customerType: "INDIVIDUAL", fullName: 3 }])
    await one.call("POST", "/customers", body);
  for (const path of ["/quotes/none", "/qoutes", "/customers/", "/transactions?limit=x"])
    await one.call("GET", path);
  await one.call("POST", "/auth/credentials", {
    type: "OAUTH",
    accountId: "x",
    oidcToken: "a.b.c",
  });
};

const lists = async (one) => {
  const paths = ["customers", "platform/internal-accounts", "customers/external-accounts"];
  const others = ["customers/internal-accounts", "agents", "agents/approvals", "cards", "tokens"];
  const tables = ["exchange-rates", "discoveries", "uma-providers", "config", "documents"];
  for (const path of [...paths, ...others, ...tables]) await one.call("GET", `/${path}`);
  for (const path of ["timers", "outcomes", "faults", "webhooks/keys", "approvals"])
    await one.control("GET", `/${path}`);
};

/** Changes of the journal without attempts, which hold wall time, and without their numbers. */
const changesIn = (directory) =>
  readdirSync(directory)
    .filter((name) => /^[0-9]+-[0-9]+$/.test(name))
    .sort()
    .flatMap((name) => readFileSync(join(directory, name), "utf8").split("\n"))
    .filter((line) => line.includes("{"))
    .map((line) => JSON.parse(line.slice(line.indexOf("{"), line.lastIndexOf("}") + 1)))
    .filter(({ by }) => by !== "webhook.attempt")
    .map(({ seq: _seq, put, ...change }) => ({
      ...change,
      ...(put && { put: put.filter(([kind]) => kind !== "Delivery") }),
    }));

const runOnce = async () => {
  const directory = mkdtempSync(join(tmpdir(), "service-sim-repetition-"));
  const receivers = [await startReceiver(), await startReceiver()];
  const sim = await createSimulator({
    seed: "again",
    clock: "manual",
    now: "2026-01-05T09:00:00.000Z",
    storage: `file:${directory}`,
    ...(deterministicSignatures && { deterministicSignatures }),
  });
  const one = new Caller(sim);
  await one.call("PATCH", "/config", { webhookEndpoint: receivers[0].url });
  const payer = await payments(one);
  await wallets(one, payer.customerId);
  await one.call("PATCH", "/config", { webhookEndpoint: receivers[1].url });
  await cards(one, payer);
  await agents(one, payer);
  await refusals(one);
  await lists(one);
  const { body } = await one.control("POST", "/oidc/token", {});
  await one.control("POST", "/clock/advance", { by: "2d" });
  await one.control("GET", "/ledger");
  await sim.close();
  for (const { server } of receivers) server.close();
  const text = (value) =>
    receivers.reduce(
      (shown, { port }, at) => shown.replaceAll(`127.0.0.1:${port}`, `receiver-${at}`),
      JSON.stringify(value),
    );
  const changes = changesIn(join(directory, "worlds", "sandbox", "line-0", "journal"));
  rmSync(directory, { recursive: true });
  const replies = one.replies.map(([method, url, status, headers, answered]) => [
    method,
    url,
    status,
    headers,
    deterministicSignatures ? answered : answered.replaceAll(body.token, "token"),
  ]);
  const webhooks = receivers.map(({ bodies }) => [...bodies].sort(([a], [b]) => (a < b ? -1 : 1)));
  const signatures = receivers.map(({ signatures: all }) =>
    [...all].sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  const found = { replies: text(replies), changes: text(changes), webhooks: text(webhooks) };
  if (process.env.REPETITION_DUMP) {
    const { writeFileSync } = await import("node:fs");
    writeFileSync(process.env.REPETITION_DUMP, JSON.stringify({ replies, changes }, undefined, 1));
  }
  return {
    calls: replies.length,
    changed: changes.length,
    sent: webhooks.map((all) => all.length),
    statuses: Object.fromEntries(
      [200, 201, 202, 204, 400, 401, 403, 404, 409].map((status) => [
        status,
        replies.filter(([, , found]) => found === status).length,
      ]),
    ),
    replies: sha(found.replies),
    changes: sha(found.changes),
    webhooks: sha(found.webhooks),
    ...(deterministicSignatures && { signatures: sha(signatures) }),
  };
};

for (let run = 0; run < Number(times); run += 1)
  process.stdout.write(`${JSON.stringify(await runOnce())}\n`);

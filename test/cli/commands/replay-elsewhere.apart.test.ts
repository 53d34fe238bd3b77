import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { encodeLine } from "../../../src/capsules/capsule-lines.ts";
import { Workplace } from "../../setup/cli.ts";
import { benchPerTest } from "../setup/place-per-test.ts";

const place = benchPerTest();

/** A payout that waits for its webhook at a receiver of its own, and then fails. */
const SCRIPT = `
import { createServer } from "node:http";
const { SERVICE_SIM_API_URL: api, SERVICE_SIM_URL: url } = process.env;
const { SERVICE_SIM_CLIENT_ID: id, SERVICE_SIM_CLIENT_SECRET: secret } = process.env;
const send = async (target, method, body, headers = {}) => {
  const init = { method, headers: { ...headers, "content-type": "application/json" } };
  const response = await fetch(target, { ...init, ...(body && { body: JSON.stringify(body) }) });
  return response.status === 204 ? {} : response.json();
};
const authorization = "Basic " + btoa(id + ":" + secret);
const call = (method, path, body) => send(api + path, method, body, { authorization });
let arrived;
const completed = new Promise((resolve) => { arrived = resolve; });
const receiver = createServer((request, response) => {
  let text = "";
  request.on("data", (part) => { text += part; });
  request.on("end", () => {
    response.end();
    if (JSON.parse(text).type === "OUTGOING_PAYMENT.COMPLETED") arrived();
  });
});
await new Promise((resolve) => receiver.listen(0, "127.0.0.1", resolve));
const webhookEndpoint = "http://127.0.0.1:" + receiver.address().port + "/hooks";
await call("PATCH", "/config", { webhookEndpoint });
const customer = await call("POST", "/customers", { customerType: "INDIVIDUAL" });
const { data } = await call("GET", "/customers/internal-accounts?currency=USD&customerId=" + customer.id);
const accountId = data[0].id;
await call("POST", "/sandbox/internal-accounts/" + accountId + "/fund", { amount: 1000000 });
const payee = await call("POST", "/customers/external-accounts", {
  customerId: customer.id,
  currency: "MXN",
  accountInfo: {
    accountType: "MXN_ACCOUNT",
    clabeNumber: "646180110400000999",
    beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ana Flores" },
  },
});
const quote = await call("POST", "/quotes", {
  source: { sourceType: "ACCOUNT", accountId },
  destination: { destinationType: "ACCOUNT", accountId: payee.id },
  lockedCurrencySide: "SENDING",
  lockedCurrencyAmount: 25000,
});
await call("POST", "/quotes/" + quote.id + "/execute");
await send(url + "/_sim/clock/advance", "POST", { by: "10m" });
await completed;
receiver.close();
console.error("expected PENDING but found COMPLETED");
process.exit(1);
`;

/** Requests of the script, that of the clock among them. */
const REQUESTS = 8;

/** Runs the script in one folder, and copies its capsule into another checkout. */
const failedRun = async () => {
  mkdirSync(place().file("first"));
  writeFileSync(place().file("first", "payout.mjs"), SCRIPT);
  const words = `exec --clock manual --now 2026-01-05T09:00:00Z -- ${process.execPath} payout.mjs`;
  const { code, stderr } = await place().run(words, { folder: "first" });
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining("PENDING") });
  const [, kept = ""] = /note {3}.* replay (\S+\.capsule) {4}repeats this run\n/.exec(stderr) ?? [];
  return kept;
};

const carried = (kept: string, to: Workplace) => {
  copyFileSync(kept, to.file("run.capsule"));
  return to;
};

const elsewhere = async (kept: string, work: (other: Workplace) => Promise<void>) => {
  const other = new Workplace();
  try {
    await work(carried(kept, other));
  } finally {
    await other.close();
  }
};

// spec/capsules.md#replay
test("a failed run is repeated in another checkout, whole and up to a request", async () => {
  const kept = await failedRun();
  await elsewhere(kept, async (other) => {
    const whole = await other.run("replay run.capsule");
    expect(whole).toMatchObject({
      code: 0,
      stdout: `${REQUESTS} requests repeated, no difference\n`,
    });

    const started = other.command("replay run.capsule --until req-1-5 --json");
    const ready = JSON.parse((await started.firstLine()) ?? "{}");
    expect(ready).toEqual({
      event: "ready",
      apiUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\//),
      controlUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/_sim$/),
      port: expect.any(Number),
      pid: started.pid,
      clientId: "sandbox",
      clientSecret: expect.any(String),
    });
    const authorization = `Basic ${btoa(`${ready.clientId}:${ready.clientSecret}`)}`;
    const call = async (method: string, path: string, body?: object) => {
      const headers = { authorization, "content-type": "application/json" };
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      const response = await fetch(ready.apiUrl + path, init);
      return { id: response.headers.get("x-sim-request-id"), body: await response.json() };
    };
    // The next request of the run was the payee: there is money, and no payee yet.
    const accounts = await call("GET", "/customers/internal-accounts?currency=USD");
    expect(accounts).toMatchObject({
      id: "req-1-5",
      body: { data: [{ balance: { amount: 1_000_000 } }] },
    });
    const { customerId } = accounts.body.data[0];
    const payees = await call("GET", `/customers/external-accounts?customerId=${customerId}`);
    expect(payees.body.data).toEqual([]);
    const payee = await call("POST", "/customers/external-accounts", {
      customerId,
      currency: "MXN",
      accountInfo: {
        accountType: "MXN_ACCOUNT",
        clabeNumber: "646180110400000999",
        beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ana Flores" },
      },
    });
    expect(payee.body).toMatchObject({ customerId, currency: "MXN" });
    expect((await started.kill()).code).toBe(0);
  });
});

// spec/capsules.md#differences
test("a reply that is another in the file is named with line, request, instant and pointer", async () => {
  const kept = await failedRun();
  await elsewhere(kept, async (other) => {
    let at = 0;
    const lines = readFileSync(kept, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line.slice(line.indexOf("{"))));
    for (const line of lines)
      if (line.id === "req-1-6") {
        at = line.n;
        line.reply.body = line.reply.body.replace(
          '"totalSendingAmount":25000',
          '"totalSendingAmount":25001',
        );
      }
    writeFileSync(other.file("run.capsule"), lines.map(encodeLine).join(""));
    const { code, stdout } = await other.run("replay run.capsule");
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: [
        "first difference: /totalSendingAmount",
        `  at        req-1-6 (entry ${at}), POST /2025-10-13/quotes`,
        "  instant   2026-01-05T09:00:00.000Z",
        "  recorded  25001",
        "  found     25000",
        "",
      ].join("\n"),
    });
  });
});

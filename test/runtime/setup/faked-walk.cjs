// What each runner of tests does with its timers faked; plain CommonJS, so that all of them load it.
const http = require("node:http");

/** Node's own client: `fetch` asks the faked `queueMicrotask`. */
const send = (url, { method = "GET", headers = {} } = {}) =>
  new Promise((resolve, reject) => {
    const request = http.request(url, { method, headers, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (more) => {
        text += more;
      });
      response.on("end", () => resolve({ status: response.statusCode, text }));
    });
    request.on("error", reject).end();
  });

const startReceiver = async () => {
  const types = [];
  const server = http.createServer((request, response) => {
    let text = "";
    request.on("data", (more) => {
      text += more;
    });
    request.on("end", () => {
      types.push(JSON.parse(text).type);
      response.setHeader("connection", "close").end();
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const stop = () => new Promise((resolve) => server.close(resolve));
  return { types, url: `http://127.0.0.1:${server.address().port}/hooks`, stop };
};

const callsOf = (sim) => {
  const authorization = `Basic ${btoa(`${sim.clientId}:${sim.clientSecret}`)}`;
  const read = async (response) => {
    const text = await response.text();
    if (!response.ok) throw new Error(`Expected success but found ${response.status} ${text}`);
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    return isJson ? JSON.parse(text) : text;
  };
  const call = async (method, url, body) => {
    const isForm = body instanceof FormData;
    const headers = { authorization, ...(!isForm && { "content-type": "application/json" }) };
    const sent = body === undefined || isForm ? body : JSON.stringify(body);
    return read(await sim.fetch(new Request(url, { method, headers, body: sent ?? null })));
  };
  return {
    authorization,
    call: (method, path, body) => call(method, sim.apiUrl + path, body),
    control: (method, path, body) => call(method, sim.controlUrl + path, body),
  };
};

const formOf = (fields, file) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append("file", new Blob([file]), "a.pdf");
  return form;
};

/** A payment of six minutes. */
const pay = async ({ call }) => {
  const { id: customerId } = await call("POST", "/customers", { customerType: "INDIVIDUAL" });
  const query = `customerId=${customerId}&currency=USD`;
  const { data } = await call("GET", `/customers/internal-accounts?${query}`);
  await call("POST", `/sandbox/internal-accounts/${data[0].id}/fund`, { amount: 250_000 });
  const payee = await call("POST", "/customers/external-accounts", {
    customerId,
    currency: "MXN",
    accountInfo: {
      accountType: "MXN_ACCOUNT",
      clabeNumber: "646180110400000003",
      beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ana Flores" },
    },
  });
  const quote = await call("POST", "/quotes", {
    source: { sourceType: "ACCOUNT", accountId: data[0].id },
    destination: { destinationType: "ACCOUNT", accountId: payee.id },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 25_000,
  });
  await call("POST", `/quotes/${quote.id}/execute`);
  return { customerId, transactionId: quote.transactionId };
};

/** Parts that are loaded when they are first asked for. */
const useLazyParts = async ({ call, control }, customerId) => {
  const fields = { documentHolder: customerId, documentType: "PASSPORT", country: "MX" };
  const document = await call("POST", "/documents", formOf(fields, "%PDF-"));
  const csv = `umaAddress,platformCustomerId,customerType,fullName,birthDate,addressLine1,city,state,postalCode,country
$p1@pay.example,shop-1,INDIVIDUAL,Lena Ortiz,1991-11-02,Av. Norte 12,Puebla,PUE,72000,MX
`;
  const { jobId } = await call("POST", "/customers/bulk/csv", formOf({}, csv));
  const job = await call("GET", `/customers/bulk/jobs/${jobId}`);
  const token = await control("POST", "/oidc/token", {});
  const { keys } = await control("GET", "/oidc/jwks");
  const { data: topics } = await control("GET", "/docs");
  const contract = await control("GET", "/openapi.json");
  return {
    document: document.documentType,
    bulk: job.status,
    token: Object.values(token).join().split(".").length,
    keys: keys.length,
    topic: topics[0].topic,
    contract: contract.openapi,
  };
};

const walk = async ({ createSimulator }) => {
  const receiver = await startReceiver();
  const sim = await createSimulator({
    seed: 7,
    clock: "manual",
    now: "2026-01-01T00:00:00Z",
    fixture: "payouts-demo",
    webhookEndpoint: receiver.url,
  });
  const calls = callsOf(sim);
  const { url } = await sim.listen();
  const { authorization } = calls;
  const config = await send(`${url}${new URL(sim.apiUrl).pathname}/config`, {
    headers: { authorization },
  });
  const from = sim.status().now;
  const { customerId, transactionId } = await pay(calls);
  const { to, complete } = await sim.advance("6m");
  const paid = await calls.call("GET", `/transactions/${transactionId}`);
  const lazy = await useLazyParts(calls, customerId);
  await sim.close();
  const after = await send(`${url}/_sim/live`).catch((error) => error.code);
  await receiver.stop();
  return {
    config: config.status,
    tookMs: Date.parse(to) - Date.parse(from),
    complete,
    paid: paid.status,
    webhook: receiver.types.filter((type) => type === "OUTGOING_PAYMENT.COMPLETED").length > 0,
    lazy,
    after,
  };
};

/** How far a clock that follows the machine is from a clock that was taken before. */
const offMs = async ({ createSimulator }, realNowMs) => {
  const sim = await createSimulator({ clock: "real" });
  const nowMs = Date.parse(sim.status().now);
  await sim.close();
  return Math.abs(nowMs - realNowMs());
};

const WALKED = {
  config: 200,
  tookMs: 360_000,
  complete: true,
  paid: "COMPLETED",
  webhook: true,
  lazy: {
    document: "PASSPORT",
    bulk: "COMPLETED",
    token: 3,
    keys: 1,
    topic: "spec/agent-actions",
    contract: "3.1.0",
  },
  after: "ECONNREFUSED",
};

module.exports = { walk, offMs, WALKED };

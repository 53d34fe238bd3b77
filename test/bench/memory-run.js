import { createServer } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { pathToFileURL } from "node:url";

// Prints the heap in MiB at the start and after each round of calls, as a list of JSON. Arguments:
// the built library; `payments` for rounds of 1,000 finished payments, `bounds` for rounds of calls
// that leave no record.
const [, , library, what] = process.argv;
const { createSimulator } = await import(pathToFileURL(library).href);

const PAYMENTS = 1_000;
const AT_ONCE = 50;
/** Rounds that reach the bounds of what is kept without being counted, and rounds that are. */
const ROUNDS = { payments: { warmUps: 6, counted: 5 }, bounds: { warmUps: 0, counted: 3 } };
/** Webhooks of a round: more than the ended ones that are kept. */
const CALLS = 6_000;

const receiver = createServer((request, response) => {
  request.resume();
  request.on("end", () => response.end());
});
await new Promise((resolve) => receiver.listen(0, "127.0.0.1", resolve));
const webhookEndpoint = `http://127.0.0.1:${receiver.address().port}/`;
// Webhooks of one account wait for each other, so those of payments are not sent.
const sim = await createSimulator({
  clock: "manual",
  seed: "bench",
  ...(what === "bounds" && { webhookEndpoint }),
});
const headers = {
  authorization: `Basic ${btoa(`${sim.clientId}:${sim.clientSecret}`)}`,
  "content-type": "application/json",
};

const answerTo = async (method, path, body) => {
  const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  const answer = await sim.fetch(new Request(sim.apiUrl + path, sent));
  return { status: answer.status, body: JSON.parse(await answer.text()) };
};

const call = async (method, path, body) => {
  const answer = await answerTo(method, path, body);
  if (answer.status > 299) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};

const customer = await call("POST", "/customers", { customerType: "INDIVIDUAL" });
const accounts = `/customers/internal-accounts?customerId=${customer.id}&currency=USD`;
const [account] = (await call("GET", accounts)).data;
await call("POST", `/sandbox/internal-accounts/${account.id}/fund`, { amount: 1_000_000_000 });
const payee = await call("POST", "/customers/external-accounts", {
  customerId: customer.id,
  currency: "MXN",
  accountInfo: {
    accountType: "MXN_ACCOUNT",
    clabeNumber: "646180110400000003",
    beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ana Flores" },
  },
});
const quoteBody = {
  source: { sourceType: "ACCOUNT", accountId: account.id },
  destination: { destinationType: "ACCOUNT", accountId: payee.id },
  lockedCurrencySide: "SENDING",
  lockedCurrencyAmount: 1_000,
};

const pay = async () => {
  const { id } = await call("POST", "/quotes", quoteBody);
  await call("POST", `/quotes/${id}/execute`);
};

const inTurns = async (count, work) => {
  for (let done = 0; done < count; done += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, work));
};

const { id: quoteId } = await call("POST", "/quotes", quoteBody);

const callWithoutRecord = async () => {
  await call("GET", `/quotes/${quoteId}`);
  await answerTo("POST", "/quotes", { ...quoteBody, lockedCurrencyAmount: -1 });
  await call("PATCH", `/customers/${customer.id}`, {
    customerType: "INDIVIDUAL",
    fullName: "Lena Berg",
  });
  await call("POST", "/sandbox/webhooks/test");
};

const rounds = {
  payments: async () => {
    await inTurns(PAYMENTS, pay);
    await sim.advance("6m");
  },
  bounds: async () => {
    await inTurns(CALLS, callWithoutRecord);
    await sim.advance("1s");
  },
};

const usedMiB = async () => {
  for (let round = 0; round < 4; round += 1) {
    await nextTurn();
    globalThis.gc();
  }
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1024 ** 2;
};

const { warmUps, counted } = ROUNDS[what];
for (let round = 0; round < warmUps; round += 1) await rounds[what]();
const heaps = [await usedMiB()];
for (let round = 0; round < counted; round += 1) {
  await rounds[what]();
  heaps.push(await usedMiB());
}
console.log(JSON.stringify(heaps));
process.exit(0);

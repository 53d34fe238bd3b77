import { expect, onTestFinished, test } from "vitest";
import { createCardholder, issueCard } from "../api/cards/setup/card-world.ts";
import { until } from "../runtime/setup/turns.ts";
import { createPayee, createPayer, quoteInput } from "../setup/platform.ts";
import { Receiver } from "../setup/receiver.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";
import { startWorld, watchAt } from "./setup/watched-screen.tsx";

const makeQuote = async (world: TestSimulator) => {
  const payer = await createPayer(world);
  const payee = await createPayee(world, payer.customerId, "003");
  const { body } = await world.call("POST", "/quotes", quoteInput(payer.accountId, payee));
  return body;
};

test("it shows a payment from its quote to its end, the clock moved from the keys", async () => {
  const world = await startWorld();
  const { url } = await world.sim.listen();
  const { shows, press, screen } = watchAt(url);
  await shows("✓ live");
  const quote = await makeQuote(world);
  await shows(`PENDING     …${quote.id.slice(-6)}`);
  await world.call("POST", `/quotes/${quote.id}/execute`);
  await shows("COMPLETED, rule 003");
  press("a");
  await shows("Advance the clock");
  for (const key of "6m") press(key);
  await shows("1 timer fires: payment.settle");
  press("\r");
  await shows("1 timer fired");
  await shows(`COMPLETED   …${quote.id.slice(-6)}`);
  expect(screen()).toContain("settled 09:06:00");
});

test("a story is opened, its command copied, and left again", async () => {
  const world = await startWorld();
  const { url } = await world.sim.listen();
  const quote = await makeQuote(world);
  const { shows, press, copied, isLeft } = watchAt(url);
  await shows("1, 1 open");
  press("w");
  await shows(`story of ${quote.transactionId}`);
  press("Y");
  await shows("copied");
  expect(copied).toEqual([`service-sim why ${quote.transactionId}`]);
  press("h");
  await shows("1 Payments");
  press("q");
  await until("leaving", isLeft);
});

test("P makes a payout on an empty world; enter shows its money, w why it waits", async () => {
  const world = await startWorld();
  const { url } = await world.sim.listen();
  const { shows, press, session, screen } = watchAt(url, {
    size: { columns: 100, rows: 40 },
    story: (story) => [`story of ${(story as { kind: string }).kind}`],
  });
  await shows("1 Make a payout");
  press("P");
  await shows("Make a payout?");
  press("\r");
  await shows("The payout is under way");
  await shows("1, 1 open");
  await shows("✓ See why it waits");
  press("\r");
  await shows("sends            250.00 USD  as requested");
  await shows("variable fee      -0.75 USD  0.3 % of 250.00 USD");
  await shows("converted        229.11 EUR  249.04 USD × 0.9200 = 229.11 EUR");
  await shows("receives         229.11 EUR");
  await shows("payee        Lucie Moreau, iban …3003");
  await shows("waits for    payment.settle: COMPLETED at 09:06:00");
  await world.sim.advance("6m");
  await shows("09:06:00  COMPLETED   timer payment.settle");
  press("w");
  await shows("story of Transaction");
  session.resize({ columns: 100, rows: 90 });
  press("h");
  await shows("── Payments › Quote:");
  expect(screen()).not.toContain("A first payment");
});

test("a payout that a fault stops says why, in the platform's words", async () => {
  const world = await startWorld();
  const { url } = await world.sim.listen();
  const { shows, press } = watchAt(url);
  await shows("✓ live");
  await world.control("POST", "/faults", {
    match: { operation: "createQuote" },
    fault: { status: 503 },
  });
  press("P");
  await shows("Make a payout?");
  press("\r");
  await shows("no payout: UNAVAILABLE");
});

test("what it is started with is open at once", async () => {
  const world = await startWorld();
  const { url } = await world.sim.listen();
  const quote = await makeQuote(world);
  const { shows } = watchAt(url, { opens: quote.id });
  await shows(`story of ${quote.id}`);
});

test("a simulator that goes away is waited for, and shown as it is when it is back", async () => {
  const first = await startTestSimulator();
  const { url, port } = await first.sim.listen();
  const { shows, press } = watchAt(url);
  await shows("✓ live");
  await createPayer(first, 0);
  await shows("[Requests");
  await first.sim.close();
  await shows("No answer from");
  await shows("stopped here");
  press("z");
  await shows("the simulator does not answer");
  const second = await startWorld();
  await second.sim.listen({ port });
  await makeQuote(second);
  press("r");
  await shows("✓ live");
  await shows("1, 1 open");
});

test("a reset, a rewind and a restart by others are told over a detail, which is read again", async () => {
  const first = await startTestSimulator();
  const { url, port } = await first.sim.listen();
  const quote = await makeQuote(first);
  const { shows, press, screen } = watchAt(url);
  await shows("1, 1 open");
  press("\r");
  await shows("sends ");
  await first.control("POST", "/reset");
  await shows("! World sandbox was reset, rewound or restored by another client.");
  await shows("service-sim snapshot load before-reset  undoes it");
  await shows(`${quote.id} was not found`);
  press("g");
  await until("no notice", () => !screen().includes("by another client"));
  await first.control("POST", "/snapshots/before-reset/restore", {});
  await shows("by another client");
  await shows("sends ");
  await first.sim.close();
  await shows("No answer from");
  expect(screen()).toContain("Payments › Quote:");
  const second = await startWorld();
  await second.sim.listen({ port });
  press("r");
  await shows("! The simulator was restarted at");
  await shows(`${quote.id} was not found`);
});

test("a rewind by its own key is no news", async () => {
  const world = await startWorld();
  const { url } = await world.sim.listen();
  await makeQuote(world);
  const { shows, press, screen } = watchAt(url);
  await shows("1, 1 open");
  press("b");
  await shows("enter rewind");
  press("\r");
  await shows("rewound to");
  await shows("No payment yet");
  expect(screen()).not.toContain("by another client");
});

test("a burst of fifteen hundred calls leaves it live, with the newest on the screen", async () => {
  const world = await startWorld();
  const { url } = await world.sim.listen();
  const { shows, press } = watchAt(url, { busyGatherMs: 1_000 });
  await shows("✓ live");
  press("4");
  const calls = 1_500;
  for (let at = 0; at < calls; at += 500)
    await Promise.all(Array.from({ length: 500 }, () => world.raw("GET", "/config")));
  await shows("[Requests 1,500]");
  const { body } = await world.control("GET", "/requests?limit=1");
  await shows(body.data[0].id);
  await shows("✓ live");
});

const type = (press: (key: string) => void, text: string) => {
  for (const key of text) press(key);
};

test("the endpoint is set from the screen: a refusal stays in the prompt with what was typed", async () => {
  const receiver = await new Receiver().start();
  onTestFinished(() => receiver.stop());
  const world = await startWorld();
  const { url } = await world.sim.listen();
  const { shows, press, screen } = watchAt(url);
  await shows("no endpoint");
  press("E");
  await shows("Where should webhooks go?");
  type(press, "nowhere");
  press("\r");
  await shows('Expected an http or https URL in webhookEndpoint but found "nowhere"');
  expect(screen()).toContain("url nowhere_");
  press("\u0015");
  await shows("url _");
  type(press, receiver.url);
  press("\r");
  await shows(`webhooks go to ${receiver.url}; a TEST webhook is on its way`);
  await until("a TEST", () => receiver.received.length > 0);
  await shows("1 accepted");
  press("E");
  await shows(`[${receiver.url}]`);
  press("\u0015");
  await shows("enter clears the endpoint");
  press("\r");
  await shows("no endpoint: webhooks are stored, not sent");
  expect((await world.call("GET", "/config")).body).not.toHaveProperty("webhookEndpoint");
});

test("a line end that is pasted alone is a space in the prompt, and sends nothing", async () => {
  const world = await startWorld();
  const { url } = await world.sim.listen();
  const { shows, press, session } = watchAt(url);
  await shows("no endpoint");
  press("E");
  await shows("url _");
  for (const text of ["one", "\n", "two"]) session.text(text);
  await shows("url one two_");
});

test("the next call fails once: armed, struck and told", async () => {
  const world = await startWorld();
  const { url } = await world.sim.listen();
  const { shows, press, screen } = watchAt(url);
  await shows("✓ live");
  await world.call("GET", "/config");
  press("4");
  await shows("▸ ✓ 200");
  press("F");
  await shows("call [getConfig]");
  press("\r");
  await shows("! the next getConfig answers 503 UNAVAILABLE");
  await world.call("GET", "/tokens");
  const { status } = await world.raw("GET", "/config");
  expect(status).toBe(503);
  await shows(", GET /config: it answered 503");
  expect(screen()).not.toContain("! the next getConfig");
  expect(screen()).toContain("fault: UNAVAILABLE");
  expect((await world.call("GET", "/config")).status).toBe(200);
});

test("an armed fault is taken back; an unknown operation is refused in the prompt", async () => {
  const world = await startWorld();
  const { url } = await world.sim.listen();
  const { shows, press, screen } = watchAt(url);
  await shows("✓ live");
  press("F");
  await shows("call [any]");
  type(press, "getConfg");
  press("\r");
  await shows("No operation getConfg; the closest one is getConfig");
  press("\u0015");
  type(press, "GET /config");
  press("\t");
  type(press, "lost");
  press("\r");
  await shows("! the next GET /config does the work, loses the answer");
  press("F");
  await shows("call [any]");
  press("x\u0015geX\u007ftConfig\t4\u007flost");
  await shows("▸ how  lost_");
  await shows("once, the next getConfig: does the work, loses the answer");
  press("\u001b");
  await until("no sheet", () => !screen().includes("Which call"));
  press("U");
  await shows("Remove this fault?");
  press("\r");
  await shows("1 fault removed");
  expect((await world.call("GET", "/config")).status).toBe(200);
  expect((await world.control("GET", "/faults")).body.data).toEqual([]);
});

test("customers and cards are listed, filtered and explained", async () => {
  const world = await startWorld();
  const { url } = await world.sim.listen();
  const { shows, press, screen } = watchAt(url);
  await shows("✓ live");
  const holder = await createCardholder(world, { usd: 12_300 });
  await world.call("POST", "/customers", {
    customerType: "INDIVIDUAL",
    platformCustomerId: "somebody-else",
  });
  const { id } = await issueCard(world, {
    cardholderId: holder.customerId,
    fundingSources: [holder.usdId],
  });
  await world.sim.advance("1m");
  press("[");
  await shows("[Cards 1]");
  await shows(`ACTIVE         …${id.slice(-6)}`.replace(/ +/, "  "));
  expect(screen()).toContain(`from …${holder.usdId.slice(-6)}`);
  press("\r");
  await shows(`━━ Cards › Card:…${id.slice(-6)}`);
  await shows("belongs to   ");
  await shows('"cardholderId"');
  press("w");
  await shows(`story of ${id}`);
  press("h");
  press("[");
  await shows("[Customers 2]");
  await shows(`APPROVED    …${holder.customerId.slice(-6)}`);
  press("/");
  await shows("Filter Customers: which rows?");
  type(press, "somebody");
  await shows("/somebody 1 of 2");
  expect(screen()).not.toContain(`APPROVED    …${holder.customerId.slice(-6)}`);
});

test("an unknown address is no crash: it says that nobody answers", async () => {
  const { shows } = watchAt("http://127.0.0.1:9");
  await shows("✗ no answer");
});

test("another world is shown, forked and removed from the screen, and left when it is gone", async () => {
  const world = await startWorld();
  const { url } = await world.sim.listen();
  await world.control("POST", "/worlds", { name: "checkout-7" });
  await makeQuote(world);
  const { shows, press, screen, session } = watchAt(url);
  await shows("1, 1 open");
  press("o");
  await shows("sandbox+checkout-7");
  press("j");
  await shows("▸   checkout-7");
  press("\r");
  await shows("showing world checkout-7");
  await shows("checkout-7  2026-01-05");
  await shows("✓ live");
  expect(screen()).not.toContain("1, 1 open");
  expect(session.at).toEqual({ url, world: "checkout-7" });
  press("o");
  await shows("▸ ✓ checkout-7");
  press("F");
  await shows("Fork checkout-7: what name?");
  type(press, "checkout-7");
  press("\r");
  await shows("✗ ");
  press("\u0015");
  type(press, "mine");
  press("\r");
  await shows("mine is a fork of checkout-7");
  await shows("mine  2026-01-05");
  press("o");
  await shows("▸ ✓ mine");
  press("X");
  await shows("Remove the world mine?");
  press("\r");
  await shows("world mine was removed; showing the default world");
  await shows("sandbox  2026-01-05");
  await shows("1, 1 open");
  expect(session.at).toEqual({ url });
});

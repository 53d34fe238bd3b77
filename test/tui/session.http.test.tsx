import { render } from "ink-testing-library";
import { afterEach, expect, test } from "vitest";
import { ControlClient } from "../../src/control/client.ts";
import { App } from "../../src/tui/app.tsx";
import { Session, type SessionOptions } from "../../src/tui/session.ts";
import { until } from "../runtime/setup/turns.ts";
import { createPayee, createPayer, quoteInput } from "../setup/platform.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";

const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const startWorld = async (options = {}) => {
  const world = await startTestSimulator(options);
  closing.push(() => world.sim.close());
  return world;
};

/** A session over a real connection, drawn by Ink on a screen of a hundred columns. */
const watchAt = (url: string, options: Partial<SessionOptions> = {}) => {
  const copied: string[] = [];
  let isLeft = false;
  const session = new Session({
    client: new ControlClient({ url }),
    size: { columns: 100, rows: 30 },
    paint: { color: false, ascii: false },
    story: (story) => [`story of ${(story as { id: string }).id}`],
    copy: (text) => copied.push(text),
    leave: () => {
      isLeft = true;
    },
    ...options,
  });
  void session.run();
  const drawn = render(<App session={session} />);
  closing.push(() => {
    drawn.unmount();
    session.close();
  });
  const screen = () => drawn.lastFrame() ?? "";
  const shows = (text: string) => until(`"${text}" on the screen`, () => screen().includes(text));
  return { screen, shows, press: drawn.stdin.write, copied, isLeft: () => isLeft, session };
};

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
  await shows("past 1 known timer: payment.settle");
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
  await shows(`story of ${quote.id}`);
  press("Y");
  await shows("copied");
  expect(copied).toEqual([`service-sim why ${quote.id}`]);
  press("h");
  await shows("1 Quotes");
  press("q");
  await until("leaving", isLeft);
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

test("a burst of ten thousand calls leaves it live, with the newest on the screen", async () => {
  const world = await startWorld();
  const { url } = await world.sim.listen();
  const { shows, press } = watchAt(url);
  await shows("✓ live");
  press("4");
  const calls = 10_000;
  for (let at = 0; at < calls; at += 500)
    await Promise.all(Array.from({ length: 500 }, () => world.raw("GET", "/config")));
  await shows("[Requests 1,000+]");
  const { body } = await world.control("GET", "/requests?limit=1");
  await shows(body.data[0].id);
  await shows("✓ live");
});

test("an unknown address is no crash: it says that nobody answers", async () => {
  const { shows } = watchAt("http://127.0.0.1:9");
  await shows("✗ no answer");
});

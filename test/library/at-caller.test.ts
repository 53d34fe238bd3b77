import { afterAll, beforeAll, expect, test } from "vitest";
import {
  connect,
  createSimulator,
  type LocalSimulator,
  type Simulator,
} from "../../src/simulator.ts";

let sim: LocalSimulator;
let connected: Simulator;

beforeAll(async () => {
  sim = await createSimulator({ clock: "manual" });
  const { url } = await sim.listen();
  connected = await connect(url, { clientSecret: sim.clientSecret });
});

afterAll(async () => {
  await connected.close();
  await sim.close();
});

const nobody = { params: { customerId: "Customer:nobody" } };

/** Mistakes, each in a function of its own name. */
const MISTAKES: Record<string, (one: Simulator) => unknown> = {
  refusedCall: (one) => one.call.getCustomer(nobody),
  wrongName: (one) => (one.call as unknown as Record<string, () => void>).getCustmer?.(),
  missingParameter: (one) => one.call.getCustomer({} as never),
  wrongSpan: (one) => one.advance("soon"),
  wrongMode: (one) => one.clock.set("soon" as never),
  unknownTimer: (one) => one.timers.cancel("Timer:nobody"),
  unknownWebhook: (one) => one.webhooks.get("Webhook:nobody"),
  unknownGoal: (one) => one.advanceUntil("Quote:nobody", "PENDING"),
  unknownSnapshot: (one) => one.restore("nowhere"),
  wrongFork: (one) => one.fork("not a name"),
};

/** Files of the stack, without line and column. */
const filesIn = ({ stack = "" }: Error) =>
  stack
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .map((line) => line.replace(/^.*[(/\\]([\w.-]+\.[jt]s)(:\d+)+\)?$/, "$1"));

const thrownBy = async (work: () => unknown): Promise<Error> => {
  try {
    await work();
  } catch (error) {
    return error as Error;
  }
  throw new Error("Expected an error but found none");
};

// spec/library.md#errors
test.each(
  Object.keys(MISTAKES).flatMap((mistake) => [
    { mistake, way: "in process" },
    { mistake, way: "over HTTP" },
  ]),
)("the stack of a $mistake $way begins at the line that called", async ({ mistake, way }) => {
  const one = way === "in process" ? sim : connected;
  const error = await thrownBy(async () => await MISTAKES[mistake]?.(one));
  expect(filesIn(error)[0]).toBe("at-caller.test.ts");
  expect(error.stack).not.toMatch(/src[\\/](library|http|simulator)/);
  expect(error.stack).toContain(error.message.split("\n")[0]);
});

test("a start and a connection that fail do so at their lines", async () => {
  for (const work of [
    () => createSimulator({ seed: "" }),
    () => createSimulator({ fixture: "/nowhere.json" }),
    () => connect("http://127.0.0.1:9"),
  ])
    expect(filesIn(await thrownBy(async () => await work()))[0]).toBe("at-caller.test.ts");
});

test("a call that nobody awaits has the line that made it", async () => {
  const call = sim.call.getCustomer(nobody);
  // Awaited by nothing of this file: the handler is called by the loop alone.
  const error = await new Promise<Error>((resolve) => void call.then(undefined, resolve));
  expect(filesIn(error)[0]).toBe("at-caller.test.ts");
});

test("an error keeps its class, its members and its message", async () => {
  const error = await thrownBy(() => sim.call.getCustomer(nobody));
  expect(error).toMatchObject({ name: "ApiError", status: 404, code: "USER_NOT_FOUND" });
  expect(error.stack).toMatch(/^ApiError: getCustomer was refused with 404/);
});

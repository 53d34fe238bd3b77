import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { Advance } from "../../../src/runtime/advance.ts";
import type { Engine } from "../../../src/runtime/engine.ts";
import { machineFiles } from "../../../src/storage/file/journal/journal-file.ts";
import { turn, until } from "../../runtime/setup/turns.ts";
import { Receiver } from "../../setup/receiver.ts";
import { startTestSimulator } from "../../setup/test-simulator.ts";
import { StateDirectory } from "../../storage/setup/state-directory.ts";
import { EXECUTE, fixtureOf, PAYING, QUOTE } from "./setup/seeding.ts";

afterEach(() => vi.restoreAllMocks());

test("a reset that storage refuses while its webhooks are sent is 503 and ends no process", async () => {
  const directory = new StateDirectory();
  const receiver = await new Receiver().start();
  const fixture = {
    ...fixtureOf(...PAYING("003"), { advance: "1h" }, QUOTE, EXECUTE, { advance: "6m" }),
    config: { webhookEndpoint: receiver.url },
  };
  const world = await startTestSimulator({ storage: directory.url, fixture });
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on("unhandledRejection", note);
  onTestFinished(async () => {
    process.off("unhandledRejection", note);
    vi.restoreAllMocks();
    await world.sim.close();
    await receiver.stop();
    directory.remove();
  });
  await until("the first webhooks", () => receiver.received.length >= 6);
  await world.control("POST", "/reset");
  const { to } = Advance.prototype;
  // As where much is due, which fires first in many turns of the event loop.
  vi.spyOn(Advance.prototype, "to").mockImplementation(async function (this: Advance, asked) {
    const { engine } = this as unknown as { engine: Engine };
    const { generation } = engine;
    await until("the reload", () => engine.generation !== generation);
    for (let turns = 0; turns < 20; turns += 1) await turn();
    return to.call(this, asked);
  });
  vi.spyOn(machineFiles, "write").mockImplementation(() => {
    throw Object.assign(new Error("ENOSPC: injected"), { code: "ENOSPC" });
  });
  const { status } = await world.control("POST", "/reset");
  expect(status).toBe(503);
  expect(unhandled).toEqual([]);
});

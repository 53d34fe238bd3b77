import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSimulator } from "../../src/simulator.ts";
import { type OpenFuzzedWorld, openFuzzedWorld } from "../fuzz/fuzzed-world.ts";
import { PlantedProxy } from "../fuzz/plants.ts";
import { emptyLoad } from "./clients.ts";
import { HOSTILE_RECEIVERS } from "./hostile-receivers.ts";
import { stageComplaints, stageLine } from "./judged.ts";
import { LoopWatch } from "./loop-watch.ts";
import {
  hostileReceivers,
  idleAndSlow,
  manyConnections,
  pipelined,
  warmConnections,
} from "./stages.ts";

// The stages of `npm run load` at a small size. Speed is judged by that command alone.

let world: OpenFuzzedWorld;

beforeAll(async () => {
  world = await openFuzzedWorld(createSimulator);
});

afterAll(() => world.close());

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("40 connections are answered without an error", async () => {
  const warm = await warmConnections(world, { connections: 40, calls: 40 });
  const { connections } = warm;
  const load = await manyConnections(world, { connections, isOver: (calls) => calls >= 10 });
  expect([...warm.errors, ...load.errors]).toEqual([]);
  expect(load.tookMs).toHaveLength(400);
});

test("200 idle and 30 slow connections keep nobody from an answer", async () => {
  const load = await idleAndSlow(world, { idle: 200, slow: 30, pieces: 20, turn });
  expect(load.errors).toEqual([]);
  expect(load.tookMs.length).toBeGreaterThan(0);
});

test("1,000 pipelined requests are answered in order, and others meanwhile", async () => {
  const load = await pipelined(world, { count: 1_000 });
  expect(load.errors).toEqual([]);
  expect(load.tookMs.length).toBeGreaterThan(0);
});

test("nine hostile receivers keep no event from a healthy one", async () => {
  const load = await hostileReceivers(world, { events: 10, healthy: 3 });
  expect(load.errors).toEqual([]);
  expect(load.tookMs).toHaveLength(3);
  expect(HOSTILE_RECEIVERS).toHaveLength(9);
  expect(Math.min(...load.hostileCalls)).toBeGreaterThan(0);
});

describe("a planted bug is found", () => {
  const plant = (corrupt: (answer: string) => string | undefined) =>
    new PlantedProxy(world.port, { bug: "", strikes: () => true, corrupt, found: /./ });

  const through = async <Found>(proxy: PlantedProxy, work: (port: number) => Promise<Found>) => {
    const port = await proxy.start();
    try {
      return await work(port);
    } finally {
      await proxy.stop();
    }
  };

  test("a refusal under load", async () => {
    const proxy = plant((answer) => answer.replace("HTTP/1.1 200 OK", "HTTP/1.1 429 Too Many"));
    const { errors } = await through(proxy, (port) =>
      warmConnections({ ...world, port }, { connections: 1, calls: 1 }),
    );
    expect(errors).toEqual([expect.stringMatching(/^429 /)]);
  });

  test("answers in another order", async () => {
    const proxy = plant((answer) => answer.replaceAll(/"id":"(\w+):./g, '"id":"$1:x'));
    const load = await through(proxy, (port) => pipelined({ ...world, port }, { count: 10 }));
    expect(load.errors).toContain("the answer 0 is that of another request");
  });

  test("a server that closes idle connections", async () => {
    const closing = createServer((socket) => socket.end());
    await new Promise<void>((resolve) => closing.listen(0, "127.0.0.1", resolve));
    const { port } = closing.address() as { port: number };
    const size = { idle: 5, slow: 1, pieces: 20, turn };
    const { errors } = await idleAndSlow({ ...world, port }, size);
    closing.close();
    expect(errors).toContain("the connection closed early");
  });

  test("a piece of work that holds the event loop", async () => {
    const watch = new LoopWatch();
    watch.start();
    const endsMs = performance.now() + 80;
    while (performance.now() < endsMs);
    // The look that is due by now comes first.
    await new Promise((resolve) => setTimeout(resolve));
    expect(watch.end().wallMs).toBeGreaterThan(70);
  });
});

const STAGE = {
  name: "many",
  load: { ...emptyLoad(), tookMs: [1, 1, 1, 10] },
  stretches: { pieceMs: 20, turnMs: 40, wallMs: 60 },
  seconds: 2,
  bounds: { p99InMedians: 20, slowestMs: 1_000, stretchMs: 50 },
};

test("a stage is told in a line", () => {
  expect(stageLine(STAGE)).toBe(
    "many: 4 answers in 2.0 s; 2 a second, 0 errors; median 1.0 ms, p99 10.0 ms (10.0 medians); " +
      "slowest 10 ms; longest piece of work 20 ms, longest turn 40 ms (60 ms on the wall)",
  );
  expect(stageComplaints(STAGE)).toEqual([]);
});

test.each([
  { change: { load: { tookMs: [1], errors: ["503 x", "503 x"] } }, found: "many: an error: 503 x" },
  { change: { load: emptyLoad() }, found: "many: no answer at all" },
  {
    change: { load: { ...emptyLoad(), tookMs: [1, 1, 1, 30] } },
    found: "many: p99 is 30.0 medians, more than 20",
  },
  {
    change: { load: { ...emptyLoad(), tookMs: [1_500] } },
    found: "many: 1500 ms, more than 1000 ms",
  },
  {
    change: { stretches: { pieceMs: 51, turnMs: 60, wallMs: 60 } },
    found: "many: the event loop stood for 51 ms",
  },
])("a stage is complained about: $found", ({ change, found }) => {
  expect(stageComplaints({ ...STAGE, ...change })).toEqual([found]);
});

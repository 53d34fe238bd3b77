import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import type { Rule } from "../../src/domain/core/draft.ts";
import type { DeliveryRecord } from "../../src/domain/records/records.ts";
import { DELIVERY_BOUNDS } from "../../src/domain/webhooks/deliveries.ts";
import { tellWhenFull } from "../../src/webhooks/full-outbox.ts";
import { CAUSE, openEngine, START_MS } from "../runtime/setup/test-engine.ts";
import { fund, openAccount, startGreeted } from "./setup/greeted.ts";

let world: ReturnType<typeof openEngine>;
let alarms: string[];

beforeEach(() => {
  world = openEngine("manual");
  alarms = [];
  world.engine.listeners.add({ alarm: (message) => alarms.push(message) });
  tellWhenFull(world.engine);
});

afterEach(() => world.engine.close());

/** Emits events while the endpoint is unreachable. */
const emit: Rule<number, void> = (draft, count, moment) => {
  for (let at = 0; at < count; at += 1) {
    const id = moment.newId("Webhook");
    draft.emit({ id, type: "TEST", lane: id, body: "{}", deliverable: true });
  }
};

const accept: Rule<number, void> = (draft, count) => {
  for (const id of draft.ids("Delivery", "byProgress", "open").slice(0, count))
    draft.put("Delivery", {
      ...(draft.get("Delivery", id) as DeliveryRecord),
      state: "ACCEPTED",
    });
};

const happen = (count: number) => world.engine.commit(emit, count, CAUSE);
const overflow = () => {
  happen(10_000);
  happen(1);
};
const end = (count: number) => world.engine.commit(accept, count, CAUSE);
const waiting = () => world.engine.state.ids("Delivery", "byProgress", "open").length;

const SAYS =
  "the outbox is full: over 10000 webhooks wait for no endpoint, " +
  "and the oldest are given up without an attempt";

test("there is no warning while there is room", () => {
  happen(10_000);
  expect([waiting(), alarms]).toEqual([10_000, []]);
});

test("an outbox that overflows says so once, however many events follow", () => {
  happen(10_000);
  for (let count = 0; count < 5; count += 1) happen(1);
  expect([waiting(), alarms]).toEqual([10_000, [SAYS]]);
});

test("it says so again when it was half empty in between, and not before", () => {
  overflow();
  end(5000);
  happen(5000);
  happen(1);
  expect(alarms).toEqual([SAYS]);
  end(5001);
  happen(5001);
  happen(1);
  expect([waiting(), alarms]).toEqual([10_000, [SAYS, SAYS]]);
});

test("a world that is opened again begins with an empty outbox", () => {
  overflow();
  const { seed, clock } = world.engine.state;
  const [kept] = world.engine.state.each("PlatformConfig");
  world.engine.open(
    (draft) => {
      if (kept) draft.put("PlatformConfig", kept);
    },
    { world: "sandbox", seed, branch: 2 },
    clock ?? { mode: "manual", offsetMs: 0, instantMs: START_MS },
  );
  overflow();
  expect(alarms).toEqual([SAYS, SAYS]);
});

test("a simulator warns its operator, and names the endpoint", async () => {
  const { open } = DELIVERY_BOUNDS;
  const greeted = await startGreeted();
  onTestFinished(async () => {
    Object.assign(DELIVERY_BOUNDS, { open });
    await greeted.stop();
  });
  greeted.receiver.behaviour = () => {};
  Object.assign(DELIVERY_BOUNDS, { open: 2 });
  const account = await openAccount(greeted);
  for (let count = 0; count < 4; count += 1) await fund(greeted, account);
  expect(greeted.alarms).toEqual([
    expect.stringContaining(`wait for ${greeted.receiver.url}, and`),
  ]);
});

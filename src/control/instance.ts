import * as z from "zod";
import { instant } from "../domain/draft.ts";
import { platformConfig } from "../domain/events.ts";
import { refuse } from "../domain/refusal.ts";
import { endpoint } from "../http/endpoint.ts";
import { ledgerTotals } from "./ledger.ts";
import { nextTimerShown } from "./timers.ts";
import type { WorldControl } from "./world-control.ts";

/** Liveness, readiness, status and reset of a running simulator. */
export const instanceEndpoints = (control: WorldControl) => [
  endpoint({
    operationId: "live",
    summary: "Whether the process answers",
    method: "GET",
    path: "/live",
    permission: "none",
    replies: [200, z.object({ live: z.literal(true) })],
    refuses: [],
    handle: () => ({ live: true as const }),
  }),
  endpoint({
    operationId: "ready",
    summary: "Whether the world is open; 503 until then",
    method: "GET",
    path: "/ready",
    permission: "none",
    replies: [200, z.object({ ready: z.literal(true) })],
    refuses: ["UNAVAILABLE"],
    handle: () =>
      control.isReady()
        ? { ready: true as const }
        : refuse("UNAVAILABLE", { why: "it is still being opened" }),
  }),
  endpoint({
    operationId: "status",
    summary: "What runs, and how it is",
    method: "GET",
    path: "/status",
    permission: "none",
    replies: [200, z.looseObject({ world: z.string(), now: z.string() })],
    refuses: [],
    handle: () => statusOf(control),
  }),
  endpoint({
    operationId: "reset",
    summary: "Back to the start; credentials, webhook key and seed stay",
    method: "POST",
    path: "/reset",
    permission: "none",
    replies: [200, z.looseObject({ world: z.string(), dropped: z.looseObject({}) })],
    refuses: [],
    handle: (_input, call) => {
      const dropped = countsOf(control);
      control.reset();
      call.sawEverything();
      const { world, seed } = control.engine.state;
      return { world, fixture: "default", seed, dropped };
    },
  }),
];

const countsOf = ({ engine: { state } }: WorldControl) => ({
  records: state.recordCount(),
  timers: state.ids("Timer", "all", "").length,
  webhooks: state.ids("Delivery", "all", "").length,
});

const webhooksOf = ({ engine: { state } }: WorldControl) => {
  const count = (name: string) => state.ids("Delivery", "byState", name).length;
  const endpointUrl = platformConfig(state).webhookEndpoint;
  return {
    ...(endpointUrl !== undefined && { endpoint: endpointUrl }),
    accepted: count("ACCEPTED"),
    waiting: count("WAITING"),
    retrying: count("RETRYING"),
    givenUp: count("GIVEN_UP"),
    undeliverable: count("UNDELIVERABLE"),
  };
};

const statusOf = (control: WorldControl) => {
  const { engine, storage, version } = control;
  const { state, clock, stopped } = engine;
  const next = nextTimerShown(engine);
  return {
    world: state.world,
    now: instant(clock.now()),
    version,
    pid: process.pid,
    upMs: Math.round(process.uptime() * 1000),
    ...control.urls(),
    seed: state.seed,
    fixture: "default",
    clock: { mode: clock.mode, aheadMs: clock.aheadMs() },
    storage: {
      url: storage.url,
      records: state.seq,
      journalBytes: engine.journal.sizeBytes(),
      fsync: storage.fsync,
      writable: engine.readOnlyBecause === undefined && !stopped,
      ...(engine.readOnlyBecause !== undefined && { why: engine.readOnlyBecause }),
    },
    ledger: { totals: ledgerTotals(state) },
    timers: { count: state.ids("Timer", "all", "").length, ...(next && { next }) },
    webhooks: webhooksOf(control),
    ...(stopped && { stopped }),
  };
};

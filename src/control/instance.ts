import { Live, Ready, ResetReport } from "../contract/control/instance.ts";
import { StatusReply } from "../contract/control/status.ts";
import { refuse } from "../domain/core/refusal.ts";
import { stoppingPid } from "../machine/stopping-pid.ts";
import { endpoint } from "./core/control-endpoint.ts";
import { countsOf, statusOf } from "./status.ts";

/** Liveness, readiness, status and reset of a running simulator. */
export const instanceEndpoints = [
  endpoint({
    operationId: "live",
    summary: "Liveness: the process answers",
    method: "GET",
    path: "/live",
    isWorldless: true,
    isOfProcess: true,
    replies: [200, Live],
    refuses: [],
    handle: () => ({ live: true as const, pid: stoppingPid() }),
  }),
  endpoint({
    operationId: "ready",
    summary: "Readiness: the world is open; 503 until then, and while the simulator stops",
    method: "GET",
    path: "/ready",
    isWorldless: true,
    isOfProcess: true,
    replies: [200, Ready],
    refuses: ["UNAVAILABLE"],
    handle: (_input, _call, world) => {
      if (world.worlds.drain.isOn) return refuse("UNAVAILABLE", { why: "the simulator stops" });
      if (!world.isReady()) return refuse("UNAVAILABLE", { why: "it is still being opened" });
      return { ready: true as const };
    },
  }),
  endpoint({
    operationId: "status",
    summary: "The simulator, its settings and its health",
    method: "GET",
    path: "/status",
    tellsTrouble: true,
    replies: [200, StatusReply],
    refuses: [],
    handle: (_input, _call, world) => statusOf(world),
  }),
  endpoint({
    operationId: "reset",
    summary: "Reset the world to its start, ids included; credentials, webhook key and seed stay",
    method: "POST",
    path: "/reset",
    replies: [200, ResetReport],
    refuses: [],
    outlivesReset: true,
    handle: async (_input, call, world): Promise<ResetReport> => {
      const dropped = countsOf(world);
      await world.reset();
      call.sawEverything();
      const { world: name, seed } = world.engine.state;
      return { world: name, fixture: world.fixture(), seed, dropped };
    },
  }),
];

import { Cluster } from "../contract/control/cluster.ts";
import { defined } from "../contract/core/defined.ts";
import { refuse } from "../domain/core/refusal.ts";
import type { ProcessRow, SharedStore } from "../storage/port/shared-store.ts";
import { StoreTrouble } from "../storage/port/store-trouble.ts";
import { endpoint } from "./core/control-endpoint.ts";
import type { World } from "./core/world.ts";

const rowOf = ({ id, peer, version, knows, loaded, leaseLeftMs }: ProcessRow) => ({
  id,
  ...defined({ peer }),
  version,
  knows,
  worlds: loaded,
  leaseLeftMs,
});

/** A store that does not answer is told of: who asks then looks for the reason. */
const processesOf = async (
  shared: SharedStore,
): Promise<Pick<Cluster, "processes" | "trouble">> => {
  try {
    return { processes: (await shared.processes()).map(rowOf) };
  } catch (error) {
    if (!(error instanceof StoreTrouble)) throw error;
    return { processes: [], trouble: error.trouble.seen };
  }
};

const clusterOf = async ({ worlds, engine, storage }: World): Promise<Cluster> => {
  const { shared } = worlds;
  if (!shared) return refuse("NOT_SHARED", { url: storage.url });
  const found = await processesOf(shared);
  const trouble = engine.readOnlyBecause ?? found.trouble;
  return {
    process: shared.process,
    format: shared.format,
    processes: found.processes,
    ...defined({ trouble }),
  };
};

/** Processes that share a store (spec/store.md#several-processes). */
export const clusterEndpoints = [
  endpoint({
    operationId: "cluster",
    summary: "The processes that share the store, with their leases",
    method: "GET",
    path: "/cluster",
    isWorldless: true,
    isOfProcess: true,
    tellsTrouble: true,
    replies: [200, Cluster],
    refuses: ["NOT_SHARED"],
    handle: (_input, _call, world) => clusterOf(world),
  }),
];

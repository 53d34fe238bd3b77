import type { Cluster } from "../../contract/control/cluster.ts";
import { showDuration } from "../../domain/core/durations.ts";
import { type Column, tableLines } from "./table.ts";
import type { Style } from "./terminal.ts";

const COLUMNS: readonly Column[] = [
  { head: "PROCESS" },
  { head: "PEER" },
  { head: "WORLDS", align: "right" },
  { head: "VERSION", leaves: 2 },
  { head: "FORMAT", align: "right", leaves: 1 },
  { head: "LEASE", as: "words" },
];

const leaseOf = (leftMs: number) =>
  leftMs > 0
    ? `ends in ${showDuration(Math.round(leftMs))}`
    : `ended ${showDuration(Math.round(-leftMs))} ago`;

/** Formats the processes that share a store; the one that answered is marked. */
export const formatCluster = (cluster: Cluster, style: Style): string[] => {
  const { process, format, processes, trouble } = cluster;
  const rows = processes.map(({ id, peer = "none", worlds, version, knows, leaseLeftMs }) => [
    id === process ? `${id} (answers)` : id,
    peer,
    String(worlds),
    version,
    String(knows),
    leaseOf(leaseLeftMs),
  ]);
  return [
    ...tableLines(COLUMNS, rows, style),
    `all write format ${format}`,
    ...(trouble === undefined ? [] : [`${style.mark("failed")} ${trouble}`]),
  ];
};

import type { Faults } from "../../../contract/control/faults.ts";
import type { Fault, FaultEffect, FaultMatch } from "../../../contract/platform/faults.ts";
import { showDuration } from "../../../domain/core/durations.ts";
import { counted, fullInstant } from "../../../text/layout.ts";
import { clientCommand } from "../../frame/client-command.ts";
import { type Column, tableLines } from "../../text/table.ts";
import type { Style } from "../../text/terminal.ts";

const often = ({ nth, times }: FaultMatch) => {
  if (nth !== undefined && times !== undefined) return `from call ${nth} on, ${times} of them`;
  if (nth !== undefined) return `call ${nth}`;
  return times === undefined ? "every call" : `the first ${times}`;
};

const matchText = (match: FaultMatch) => {
  const { operation, path, probability, from, until } = match;
  return [
    [operation, path].filter(Boolean).join(" at ") || "any operation",
    often(match),
    ...(probability === undefined ? [] : [`with probability ${probability}`]),
    ...(from === undefined ? [] : [`from ${fullInstant(from)}`]),
    ...(until === undefined ? [] : [`until ${fullInstant(until)}`]),
  ].join(", ");
};

const retryText = ({ shouldRetry }: FaultEffect) =>
  shouldRetry === undefined ? "" : ` with x-should-retry ${shouldRetry}`;

const effectText = (fault: FaultEffect) => {
  const { status, code, latencyMs, dropResponse, closeSocket } = fault;
  const { garble, drip, cutAfterBytes } = fault;
  return [
    ...(latencyMs === undefined ? [] : [`waits ${latencyMs} ms`]),
    ...(status === undefined && code === undefined
      ? []
      : [
          `answers ${[status, code].filter((one) => one !== undefined).join(" ")}${retryText(fault)}`,
        ]),
    ...(dropResponse ? ["drops the response"] : []),
    ...(closeSocket ? ["closes the connection"] : []),
    ...(garble ? ["garbles the body"] : []),
    ...(drip ? [`drips ${counted(drip.bytes, "byte")} every ${showDuration(drip.everyMs)}`] : []),
    ...(cutAfterBytes === undefined
      ? []
      : [`cuts the body after ${counted(cutAfterBytes, "byte")}`]),
  ].join(", ");
};

/** Calls that met the fault, out of all matching calls so far; a new fault has met none. */
const struckText = ({ struck, seen }: Fault) =>
  seen === 0 ? "no call yet" : `${struck} of ${counted(seen, "call")}`;

const COLUMNS: readonly Column[] = [
  { head: "FAULT" },
  { head: "DOES" },
  { head: "AFFECTED" },
  { head: "CALLS", as: "words" },
];

export const formatFaults = ({ data }: Faults, style: Style): string[] => {
  if (data.length === 0) return ["no active faults"];
  const rows = data.map((one) => [
    style.id(one.id),
    effectText(one.fault),
    struckText(one),
    matchText(one.match),
  ]);
  return tableLines(COLUMNS, rows, style);
};

export const command = clientCommand<Faults>({
  name: "list",
  summary: "show active faults, oldest first",
  examples: ["service-sim faults list", "service-sim faults list --json"],
  call: () => ["GET", "/faults"],
  lines: formatFaults,
});

import type { SimulatorStatus } from "../../contract/control/status.ts";
import type { LocalSimulator } from "../../simulator.ts";
import { cellsOf, padCells } from "../../text/cells.ts";
import { counted, fullInstant } from "../../text/layout.ts";
import { VERSION } from "../../version.ts";
import type { InstanceFile } from "../frame/instance-file.ts";
import { asCalled } from "../text/called-as.ts";
import { driftOf } from "../text/drift.ts";
import { noEndpointLines } from "../text/no-endpoint.ts";
import type { Style } from "../text/terminal.ts";

/** Facts about a simulator that is ready, for its banner. */
export interface BannerFacts {
  status: SimulatorStatus;
  opened: LocalSimulator["opened"];
  instance: Pick<InstanceFile, "apiUrl" | "controlUrl" | "clientId" | "clientSecret">;
  /** The people who can reach it beyond loopback. */
  reach: string | undefined;
  /** Hosts and ranges that may be called beyond loopback although they are not public. */
  allowedTargets: readonly string[];
  readyMs: number;
}

/** A label, its value, and a remark beside the value, or below it where that does not fit. */
type Row = readonly [label: string, value: string, remark?: string];

const LABEL_WIDTH = 12;
/** Values up to this width have their remarks in one column. */
const VALUE_WIDTH = 32;

const rowLines = ([label, value, remark = ""]: Row, { color, screen }: Style): string[] => {
  const front = `  ${color.dim(label.padEnd(LABEL_WIDTH - 2))}`;
  const beside = `${padCells(value, VALUE_WIDTH)}  ${remark}`.trimEnd();
  if (LABEL_WIDTH + cellsOf(beside) <= screen.width) return [front + beside];
  return [front + value, ...(remark === "" ? [] : [" ".repeat(LABEL_WIDTH) + remark])];
};

const stateRow = ({ opened, status: { storage, timers } }: BannerFacts): Row => {
  const where = storage.url === "memory:" ? "in memory" : storage.url.replace(/^file:/, "");
  const remark = opened.isNew
    ? `new, seed ${opened.seed}`
    : `resumed: ${counted(opened.records, "change")}, ${counted(timers.count, "timer")}`;
  return ["state", where, remark];
};

const webhookRows = ({ status: { webhooks } }: BannerFacts): Row[] =>
  webhooks.endpoint === undefined
    ? ["no endpoint: events are stored, not sent", ...noEndpointLines()].map((line, at) => [
        at === 0 ? "webhooks" : "",
        line,
      ])
    : [["webhooks", webhooks.endpoint]];

/** Beyond loopback anyone who can set an endpoint could otherwise call this network's hosts. */
const targetRows = ({ reach, allowedTargets }: BannerFacts): Row[] => {
  if (reach === undefined) return [];
  const except = allowedTargets.length > 0 ? `, except ${allowedTargets.join(", ")}` : "";
  return [
    ["", `an endpoint in a private range is not called${except}`],
    ["", "allow one with --allow-webhook-target <host or range>"],
  ];
};

/** The lines that a foreground start prints when it is ready. */
export const bannerLines = (started: BannerFacts, style: Style): string[] => {
  const { status, instance, reach, readyMs } = started;
  const { apiUrl, controlUrl, clientId, clientSecret } = instance;
  const credentials = `${clientId}:${clientSecret}`;
  const rows: readonly Row[] = [
    ["api", style.color.bold(apiUrl)],
    ["control", controlUrl],
    ["console", `${controlUrl}/console/`],
    ["docs", `${controlUrl}/docs`],
    ...(reach === undefined ? [] : [["reach", reach] as const]),
    ["sign in", credentials, "HTTP Basic, id:secret"],
    stateRow(started),
    ["clock", fullInstant(status.now), driftOf(status.clock)],
    ...webhookRows(started),
    ...targetRows(started),
  ];
  return [
    `${style.mark("done")} service-sim ${VERSION} ready in ${Math.round(readyMs)} ms    Ctrl-C stops it`,
    "",
    ...rows.flatMap((row) => rowLines(row, style)),
    "",
    "  try, in another terminal",
    asCalled("  service-sim demo       a USD to EUR payout of six minutes, in one go"),
    asCalled("  service-sim tui        watch quotes, approvals and webhooks"),
    `  curl -u ${credentials} ${apiUrl}/config`,
    "",
  ];
};

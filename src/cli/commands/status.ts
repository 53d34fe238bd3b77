import type { Cluster } from "../../contract/control/cluster.ts";
import type { SimulatorStatus } from "../../contract/control/status.ts";
import { inGroups } from "../../contract/core/digit-groups.ts";
import { FIRST_REVISION } from "../../contract/core/revision-names.ts";
import { NO_RATE_LIMIT } from "../../contract/platform/rate-limit-text.ts";
import { showDuration } from "../../domain/core/durations.ts";
import { counted, fullInstant } from "../../text/layout.ts";
import { clientCommand } from "../frame/client-command.ts";
import { CLIENT_OPTIONS } from "../frame/command.ts";
import { formatCluster } from "../text/cluster.ts";
import { driftOf } from "../text/drift.ts";
import { noEndpointLines } from "../text/no-endpoint.ts";
import type { Style } from "../text/terminal.ts";

const ledgerLine = ({ totals }: SimulatorStatus["ledger"]) => {
  const broken = Object.entries(totals).filter(([, total]) => total !== 0);
  if (broken.length > 0)
    return `NOT BALANCED, off by ${JSON.stringify(Object.fromEntries(broken))}`;
  const currencies = Object.keys(totals);
  return currencies.length > 0 ? `balanced: ${currencies.join(", ")}` : "empty";
};

const timersLine = ({ count, next }: SimulatorStatus["timers"], now: string) => {
  if (!next) return "nothing";
  const inMs = Date.parse(next.dueAt) - Date.parse(now);
  return `${counted(count, "timer")}, ${next.timer} in ${showDuration(inMs)}`;
};

const approvalLines = ({ approvals: { count, oldestWaitsMs } }: SimulatorStatus, mark: string) =>
  oldestWaitsMs === undefined
    ? []
    : [
        `          ${mark} ${counted(count, "approval")}, oldest waits ${showDuration(oldestWaitsMs)}`,
      ];

/**
 * Counts deliveries even when no endpoint is set: they outlast an endpoint and are collected
 * without one.
 */
const webhooksLine = (webhooks: SimulatorStatus["webhooks"]) => {
  const { endpoint, accepted, waiting, held = 0, retrying, givenUp, undeliverable } = webhooks;
  const hasOne = endpoint !== undefined;
  const counts = [
    { count: accepted, what: "accepted", isAlways: hasOne },
    { count: waiting, what: "waiting", isAlways: false },
    { count: held, what: "held", isAlways: false },
    { count: retrying, what: "retrying", isAlways: hasOne },
    { count: givenUp, what: "given up", isAlways: hasOne },
    { count: undeliverable, what: "not sent", isAlways: false },
  ];
  const shown = counts
    .filter(({ count, isAlways }) => isAlways || count > 0)
    .map(({ count, what }) => `${count} ${what}`);
  if (!hasOne && shown.length === 0) return "no endpoint yet";
  return [endpoint ?? "no endpoint", ...shown].join(", ");
};

const listed = (names: readonly string[]) => (names.length > 0 ? names.join(",") : "none");

/** Settings as `start` options; those with a line of their own are left out. */
const settingsLines = ({ settings }: SimulatorStatus) => {
  const { crypto, walletCredential, approvals, cardEvents, codes, webhookSignature } = settings;
  const { oidcIssuers, sandboxUmaDomains, clientId, rateLimit, brand, revision, endUserTerms } =
    settings;
  return [
    `settings    crypto ${crypto}, wallet-credential ${walletCredential}, approvals ${approvals}`,
    `            card-events ${cardEvents}, codes ${codes}, webhook-signature ${webhookSignature}`,
    `            client-id ${clientId}, oidc-issuer ${listed(oidcIssuers)}, ` +
      `sandbox-uma-domain ${listed(sandboxUmaDomains)}`,
    ...(revision === FIRST_REVISION ? [] : [`            revision ${revision}`]),
    ...(endUserTerms === "off" ? [] : [`            end-user-terms ${endUserTerms}`]),
    ...(brand === undefined ? [] : [`            brand ${brand.word}`]),
    ...(rateLimit === NO_RATE_LIMIT ? [] : [`            rate-limit ${rateLimit}`]),
  ];
};

const kib = (bytes: number) => `${inGroups(Math.round(bytes / 1024))} KiB`;

/**
 * Formats the health of a simulator.
 * @param world the world that hints name, if it was typed
 */
export const formatStatus = (
  status: SimulatorStatus,
  { mark }: Style,
  world?: string,
): string[] => {
  const { storage, stopped, clock, now } = status;
  const { notCalled } = status.webhooks;
  const origin = status.apiUrl.slice(0, status.apiUrl.lastIndexOf("/"));
  const fsync = storage.fsync ? "on" : "off";
  const head = stopped ? `${mark("failed")} stopped  ` : `${mark("done")} running  `;
  return [
    `${head} ${status.version}, pid ${status.pid}, up ${showDuration(status.upMs)} (real time), ${origin}`,
    ...(stopped ? [`why         ${stopped.why}, at ${stopped.by}`] : []),
    `console     ${origin}/_sim/console/`,
    `docs        ${origin}/_sim/docs`,
    `world       ${status.world}, seed ${status.seed}, fixture ${status.fixture}`,
    `clock       ${fullInstant(now)}, ${driftOf(clock)}`,
    ...settingsLines(status),
    `state       ${storage.url}, ${counted(storage.records, "change")}, ` +
      `journal ${kib(storage.journalBytes)}, fsync ${fsync}`,
    ...(storage.writable
      ? []
      : [`          ${mark("failed")} read-only: ${storage.why ?? "stopped"}`]),
    ...(storage.lost === undefined || storage.lost === storage.why
      ? []
      : [`          ${mark("failed")} ${storage.lost}`]),
    ...(storage.passedOver ?? []).map(
      ({ file, found }) =>
        `          ${mark("waits")} damaged checkpoint skipped: ${found} in ${file}`,
    ),
    `ledger      ${ledgerLine(status.ledger)}`,
    `waiting     ${timersLine(status.timers, now)}`,
    ...approvalLines(status, mark("asks")),
    `webhooks    ${webhooksLine(status.webhooks)}`,
    ...(status.webhooks.endpoint === undefined
      ? noEndpointLines(world).map((line) => `            ${line}`)
      : []),
    ...(notCalled === undefined ? [] : [`          ${mark("failed")} ${notCalled}`]),
    `            signed with key ${status.webhooks.key}`,
  ];
};

/** Tells the processes of a store from the health of a simulator. */
const isCluster = (answer: SimulatorStatus | Cluster): answer is Cluster => "processes" in answer;

export const command = clientCommand<SimulatorStatus | Cluster>({
  name: "status",
  summary: "show the simulator and its health",
  options: [
    {
      flags: "--cluster",
      summary: "show the processes that share the database, with their leases",
      noEnvironment: true,
    },
    ...CLIENT_OPTIONS,
  ],
  examples: ["service-sim status", "service-sim status --json", "service-sim status --cluster"],
  call: ({ options }) => ["GET", options.cluster === true ? "/cluster" : "/status"],
  lines: (answer, style, { terminal }) =>
    isCluster(answer) ? formatCluster(answer, style) : formatStatus(answer, style, terminal.world),
  isDone: (answer) => (isCluster(answer) ? answer.trouble === undefined : !answer.stopped),
});

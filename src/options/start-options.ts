import { LOOPBACK } from "../contract/core/loopback.ts";
import type { Activity } from "../http/log/log-entry.ts";
import { DEFAULT_DIRECTORY } from "../storage/world/storage-url.ts";
import { EXEC_OPTIONS } from "./exec-options.ts";
import {
  type CommandOption,
  calling,
  flagOption,
  LIST,
  libraryOption,
  option,
  optionName,
  type SpanBounds,
  SWITCH,
  spanWithin,
  TEXT,
} from "./option-row.ts";

/** Most processes that one start serves a database from. */
export const MAX_PROCESSES = 64;

const LEASE: SpanBounds = { minMs: 1_000, maxMs: 60_000 };

const DRAIN: SpanBounds = { minMs: 0, maxMs: 300_000 };

/** Options of the place of a start, which `exec` chooses itself. */
const PLACE_OPTIONS = {
  port: flagOption({
    flags: "--port <number or auto>",
    summary: "port to listen on; 0 picks a free one, auto one derived from this folder's path",
    default: "4747",
  }),
  /** Address for `listen`, unless the call names another one; 127.0.0.1 by default. */
  host: option(TEXT, {
    flags: "--host <address>",
    summary: "address to listen on",
    default: LOOPBACK,
    notRecorded: true,
  }),
  /** `memory:`, `file:<directory>` or `postgres://<user>:<password>@<host>/<database>`. */
  storage: option<"memory:" | (string & {})>(TEXT, {
    flags: "--storage <url>",
    summary:
      "storage of the state: memory:, file:<directory> or postgres://<user>:<password>@<host>/<database>",
    default: `file:${DEFAULT_DIRECTORY}`,
    notRecorded: true,
  }),
  /** Acknowledges changes when they are on disk rather than when they are written. */
  fsync: option(SWITCH, {
    flags: "--fsync",
    summary: "answer a request only after its change has reached the disk",
    notRecorded: true,
  }),
};

/** Options of one run of `start`, and those of the library alone. */
const RUN_OPTIONS = {
  /** Further host names for the control surface, like a container's name. */
  allowHosts: option(LIST, {
    flags: "--allow-host <names>",
    summary: "also allow these host names on the control surface, separated by commas",
    notRecorded: true,
  }),
  /** Begins a new world; existing state is moved into a folder within its directory. */
  fresh: option(SWITCH, {
    flags: "--fresh",
    summary: "begin a new world; existing state moves into a subfolder",
    notRecorded: true,
  }),
  /** Takes over a state directory whose owner cannot be checked. */
  force: option(SWITCH, {
    flags: "--force",
    summary: "take over a state directory whose owner cannot be checked",
    notRecorded: true,
  }),
  processes: flagOption({
    flags: "--processes <number>",
    summary: `serve the worlds of a database from this many processes, up to ${MAX_PROCESSES}, on one port`,
  }),
  /** `host:port` at which other processes of the same database reach this one. */
  peer: option(TEXT, {
    flags: "--peer <host:port>",
    summary:
      "address at which other processes of the same database reach this one; port 0 picks a free one",
    notRecorded: true,
  }),
  /** Milliseconds after which a database frees the worlds of a process that is gone; 5,000 by default. */
  leaseMs: option(spanWithin(LEASE), {
    flags: "--lease <span>",
    summary: "free the worlds of a process that is gone after this long, 1s to 60s (default: 5s)",
    span: LEASE,
    notRecorded: true,
  }),
  /**
   * Milliseconds of `drain()`, for which `/_sim/ready` is 503 while calls are served; 5,000 with
   * `peer`, else 0.
   */
  drainMs: option(spanWithin(DRAIN), {
    flags: "--drain <span>",
    summary:
      "before a stop, answer /_sim/ready with 503 for this long and serve calls, up to 5m (default: 5s with --peer or --processes, else 0s)",
    span: DRAIN,
    notRecorded: true,
  }),
  detach: flagOption({
    flags: "--detach",
    summary: "run in the background and return when ready; log into the state directory",
    noEnvironment: true,
  }),
  verbose: flagOption({
    flags: "--verbose",
    summary: "print a line per request, control call and webhook, even without a terminal",
    noEnvironment: true,
  }),
  log: flagOption({
    flags: "--log <form>",
    summary:
      "text for people, or json: one object per line, nothing else on stdout (default: text)",
    choices: ["text", "json"],
  }),
  tui: flagOption({
    flags: "--tui",
    summary: "show the screen; leaving it stops the simulator",
    noEnvironment: true,
  }),
  /** File that the run is written to until `close`, for `service-sim replay`. */
  capsule: option(TEXT, {
    flags: "--capsule <file>",
    summary: "record this run into a file, for service-sim replay",
    noEnvironment: true,
    notRecorded: true,
  }),
  withSecrets: flagOption({
    flags: "--with-secrets",
    summary: "keep refused credentials and secrets in replies in the capsule",
    noEnvironment: true,
  }),
  open: flagOption({
    flags: "--open",
    summary: "open the console in a browser",
  }),
  https: flagOption({
    flags: "--https",
    summary: "serve https with a certificate created at this start",
  }),
  qr: flagOption({
    flags: "--qr",
    summary: "print a QR code of the address",
  }),
  /** Counts as listening beyond loopback, for use behind a tunnel. */
  tunnel: option(SWITCH, {
    flags: "--tunnel",
    summary: "make the address reachable from the internet",
    notRecorded: true,
  }),
  /**
   * Sends `x-sim-seq` with replies of the platform: the highest change that each was made from
   * (spec/store.md#traces).
   */
  traceSeq: option(SWITCH, {
    flags: "--trace-seq",
    summary: "tell in x-sim-seq the highest change that each reply was made from, for campaigns",
    noEnvironment: true,
    isHidden: true,
    notRecorded: true,
  }),
  /**
   * Called by a `fresh` start that owns the directory, before the earlier state is moved. If it
   * throws, that state stays.
   */
  beforeMovingAside: libraryOption(calling<() => Promise<void>>()),
  /**
   * Starts before timers that fell due meanwhile have fired. Calls wait for them, except
   * `/_sim/live` and `/_sim/ready`; `ready()` resolves when all have fired.
   */
  answersBeforeReady: libraryOption(SWITCH, { notRecorded: true }),
  /**
   * Called for each request, timer and webhook attempt. A webhook that is collected for lack of an
   * endpoint has attempt 0 and status UNDELIVERABLE.
   */
  onActivity: libraryOption(calling<(activity: Activity) => void>()),
  /** Called after `keys rotate` with the public key, PEM, that verifies webhooks. */
  onWebhookKey: libraryOption(calling<(publicPem: string) => void>()),
  /** Called when a state directory that went away was made again. */
  onStateMadeAgain: libraryOption(calling<() => void>()),
  /** Called with problems for the operator: a stopped world, failing storage, a bug. */
  onAlarm: libraryOption(calling<(message: string) => void>()),
};

export type StartOptions = typeof PLACE_OPTIONS & typeof EXEC_OPTIONS & typeof RUN_OPTIONS;

/**
 * Each option of a start, under its name in the library and a config file; those with flags in the
 * order of the help. `SimulatorOptions`, the command line, the config file, the reference and what
 * a recording keeps follow the rows.
 */
export const START_OPTIONS: StartOptions = { ...PLACE_OPTIONS, ...EXEC_OPTIONS, ...RUN_OPTIONS };

const isFlag = (row: object): row is CommandOption => "flags" in row;

/** Options of the command `start`. */
export const START_FLAGS: readonly CommandOption[] = Object.values(START_OPTIONS).filter(isFlag);

/** Options of the command `exec`. */
export const EXEC_FLAGS: readonly CommandOption[] = [
  ...Object.values(EXEC_OPTIONS),
  START_OPTIONS.capsule,
  START_OPTIONS.withSecrets,
];

/**
 * Options that a config file may set: settings of a start, and the address for commands. Options of
 * a single start are left out: a detached process would read `detach` there and detach again.
 */
export const CONFIG_NAMES: readonly string[] = [
  ...START_FLAGS.filter(({ noEnvironment }) => !noEnvironment).map(({ flags }) =>
    optionName(flags),
  ),
  "url",
];

import { accessSync, constants, existsSync, statfsSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { resolve } from "node:path";
import type { SimulatorStatus } from "../../control/status.ts";
import { checkState, isStateDirectory, repairState } from "../../runtime/state-check.ts";
import { StateLocked } from "../../runtime/state-lock.ts";
import { type Command, CommandError, EXIT, type Invocation } from "../command.ts";
import { CONFIG_FILES } from "../config-file.ts";
import { DEFAULT_DIRECTORY, DEFAULT_STORAGE, instanceDirectory } from "../instance-file.ts";
import { columns, counted } from "../layout.ts";
import { findInstance } from "../reach.ts";
import { optionName, START_OPTIONS } from "../start-options.ts";
import type { MarkName, Style } from "../terminal.ts";

/** One thing looked at, and what was found. */
export interface Check {
  check: string;
  ok: boolean;
  /** Worth knowing, but nothing is wrong. */
  isWarning?: boolean;
  found: string;
  next?: string;
}

const OLDEST_NODE = [20, 19] as const;
const CONNECT_TIMEOUT_MS = 1000;
const GIB = 1024 ** 3;

const checkNode = (): Check => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [oldMajor, oldMinor] = OLDEST_NODE;
  const ok = major > oldMajor || (major === oldMajor && minor >= oldMinor);
  return {
    check: "node",
    ok,
    found: `${process.versions.node}, needs ${OLDEST_NODE.join(".")} or newer`,
    ...(!ok && { next: "install a newer Node.js" }),
  };
};

const checkDirectory = async (directory: string): Promise<Check> => {
  if (!isStateDirectory(directory))
    return { check: "state", ok: true, found: `${directory} is not there yet; a start makes it` };
  try {
    accessSync(directory, constants.W_OK);
    const { records, tornBytes, damage, newerFormat } = await checkState(directory);
    const { bavail, bsize } = statfsSync(directory);
    const free = `${Math.floor((bavail * bsize) / GIB)} GiB free`;
    if (newerFormat !== undefined)
      return { check: "state", ok: false, found: newerFormat, next: "start the newer version" };
    if (damage)
      return {
        check: "state",
        ok: false,
        found:
          `${damage.found} at byte ${damage.offset} of ${damage.file}; ` +
          `${counted(damage.wholeRecords, "record")} before it are whole`,
        next: "service-sim doctor --repair    keeps those, sets the rest aside",
      };
    const torn = tornBytes > 0 ? `, ${tornBytes} bytes of an unfinished record at its end` : "";
    const whole = `journal whole, ${counted(records, "record")}${torn}`;
    return { check: "state", ok: true, found: `${directory} is writable, ${whole}, ${free}` };
  } catch (error) {
    const found = `${directory}: ${(error as Error).message}`;
    return { check: "state", ok: false, found, next: "service-sim start --storage memory:" };
  }
};

/** Whether anything listens; its answer does not matter. */
const connects = (url: string) =>
  new Promise<string | undefined>((done) => {
    const probe = httpRequest(url, { method: "HEAD", timeout: CONNECT_TIMEOUT_MS }, (response) => {
      response.resume();
      done(undefined);
    });
    probe.on("timeout", () => probe.destroy(new Error("no answer within 1s")));
    probe.on("error", (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
    probe.end();
  });

const checkInstance = async (invocation: Invocation): Promise<Check[]> => {
  try {
    const { client } = findInstance(invocation);
    const { status, body } = await client.get<SimulatorStatus>("/status");
    if (status !== 200) throw new Error(`it answered ${status}`);
    const found = `${client.url} answers, service-sim ${body.version}, pid ${body.pid}`;
    const running: Check = body.stopped
      ? {
          check: "world",
          ok: false,
          found: `stopped: ${body.stopped.why}`,
          next: "service-sim status",
        }
      : { check: "running", ok: true, found };
    return [running, ...(await checkReceiver(body))];
  } catch {
    return [{ check: "running", ok: true, found: "no simulator runs here", isWarning: true }];
  }
};

const checkReceiver = async ({ webhooks: { endpoint } }: SimulatorStatus): Promise<Check[]> => {
  if (endpoint === undefined) return [];
  const problem = await connects(endpoint);
  if (problem === undefined) return [{ check: "webhooks", ok: true, found: `${endpoint} answers` }];
  return [
    {
      check: "webhooks",
      ok: false,
      found: `${endpoint}: ${problem}`,
      next: "start your receiver, or PATCH /config with an endpoint that answers",
    },
  ];
};

const checkTerminal = (): Check =>
  process.stdout.isTTY && process.env.TERM === "dumb"
    ? { check: "terminal", ok: true, isWarning: true, found: "TERM=dumb: plain output" }
    : { check: "terminal", ok: true, found: process.stdout.isTTY ? "colours" : "not a terminal" };

/** An option, its value, and where the value comes from. */
interface Setting {
  option: string;
  value: string;
  from: string;
}

const SECRETS = new Set(["clientSecret"]);

const settingsOf = ({ options, sources }: Invocation): Setting[] =>
  START_OPTIONS.map(({ flags }) => optionName(flags))
    .filter((name) => options[name] !== undefined)
    .map((name) => ({
      option: name,
      value: SECRETS.has(name) ? "(a secret)" : String(options[name]),
      from: sources?.[name] ?? "default",
    }));

const markOf = ({ ok, isWarning }: Check): MarkName => {
  if (!ok) return "failed";
  return isWarning ? "waits" : "done";
};

export const formatDoctor = (
  { checks, settings }: { checks: readonly Check[]; settings: readonly Setting[] },
  { mark, color }: Style,
): string[] => [
  ...columns(checks.map((one) => [`${mark(markOf(one))} ${one.check}`, one.found])),
  "",
  ...columns([
    ["OPTION", "VALUE", "FROM"].map(color.dim),
    ...settings.map(({ option, value, from }) => [option, value, from]),
  ]),
];

const repair = async (directory: string) => {
  try {
    return await repairState(directory);
  } catch (error) {
    if (!(error instanceof StateLocked)) throw error;
    throw new CommandError({ code: "STATE_LOCKED", exitCode: EXIT.couldNotStart }, error.message, [
      "service-sim stop    then service-sim doctor --repair",
    ]);
  }
};

const configFile = () => CONFIG_FILES.find((name) => existsSync(name));

export const command: Command = {
  name: "doctor",
  summary: "tell what is wrong with this machine, the state and the settings",
  options: [
    {
      flags: "--repair",
      summary: "cut a damaged journal, and set the rest aside",
      noEnvironment: true,
    },
    { flags: "--url <origin>", summary: "the simulator to look at (default: .service-sim)" },
    ...START_OPTIONS.filter(({ flags }) => !/--(detach|verbose|open|qr|tunnel)/.test(flags)),
  ],
  examples: ["service-sim doctor", "service-sim doctor --repair"],
  run: async (invocation, terminal) => {
    const storage = String(invocation.options.storage ?? DEFAULT_STORAGE);
    const directory = resolve(instanceDirectory(storage) ?? DEFAULT_DIRECTORY);
    const repaired = invocation.options.repair === true ? await repair(directory) : undefined;
    const checks = [
      checkNode(),
      await checkDirectory(directory),
      ...(await checkInstance(invocation)),
      checkTerminal(),
    ];
    const settings = settingsOf(invocation);
    const ok = checks.every((one) => one.ok);
    const file = configFile();
    terminal.document({
      ok,
      checks,
      settings,
      ...(file && { configFile: file }),
      ...(repaired && { repaired }),
    });
    if (repaired)
      terminal.print(
        `${terminal.style.mark("done")} kept ${counted(repaired.kept, "record")}, gave up ${repaired.givenUp}; ` +
          `what was cut off is in ${repaired.asideIn}`,
      );
    terminal.print(...formatDoctor({ checks, settings }, terminal.style));
    for (const { next } of checks) if (next !== undefined) terminal.next(next);
    return ok ? EXIT.done : EXIT.notDone;
  },
};

import type { SimulatorStatus } from "../../contract/control/status.ts";
import { defined } from "../../contract/core/defined.ts";
import { fixtureOf } from "../../scripts/script-files.ts";
import { ScriptTextError } from "../../scripts/script-text.ts";
import { createSimulator } from "../../simulator.ts";
import { CommandError, EXIT, type Invocation, usageError } from "../frame/command.ts";
import { findInstance } from "../frame/reach.ts";
import {
  portOf,
  requireStorage,
  simulatorOptions,
  startFailure,
} from "../frame/simulator-options.ts";
import { requirePort, wantedPorts } from "../frame/wanted-port.ts";
import { endpointProblem } from "./endpoint-probe.ts";

/** One check and its finding. */
export interface Check {
  check: string;
  ok: boolean;
  /** Worth knowing, but not an error. */
  isWarning?: boolean;
  found: string;
  next?: string;
}

const OLDEST_NODE = [20, 19] as const;

/**
 * Checks the version of Node.js.
 * @param version for example `22.11.0`
 */
export const checkNode = (version: string): Check => {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldMajor, oldMinor] = OLDEST_NODE;
  const ok = major > oldMajor || (major === oldMajor && minor >= oldMinor);
  return {
    check: "node",
    ok,
    found: `${version}, needs ${OLDEST_NODE.join(".")} or newer`,
    ...(!ok && { next: "install a newer Node.js" }),
  };
};

/** Reports an endpoint whose address may not be called; deliveries to it fail. */
const checkTarget = ({ webhooks: { endpoint, notCalled } }: SimulatorStatus): Check[] => {
  if (endpoint === undefined || notCalled === undefined) return [];
  const option = /--allow-webhook-target \S+$/.exec(notCalled)?.[0];
  const next = option && `service-sim start ${option}`;
  return [
    { check: "webhooks", ok: false, found: `${endpoint}: ${notCalled}`, ...defined({ next }) },
  ];
};

const checkReceiver = async (status: SimulatorStatus): Promise<Check[]> => {
  const { endpoint, notCalled } = status.webhooks;
  if (endpoint === undefined) return [];
  if (notCalled !== undefined) return checkTarget(status);
  const problem = await endpointProblem(endpoint);
  if (problem === undefined)
    return [{ check: "webhooks", ok: true, found: `${endpoint} accepts connections` }];
  return [
    {
      check: "webhooks",
      ok: false,
      found: `${endpoint}: ${problem}`,
      next: "start your receiver, or set another: service-sim webhooks endpoint <url>",
    },
  ];
};

/** Binds the port as a start would; `checkSettings` reports a value that is no port. */
const checkPort = async (invocation: Invocation): Promise<Check[]> => {
  try {
    const { port, ports } = wantedPorts(invocation);
    const free = await requirePort({ port, ports, host: String(invocation.options.host) });
    if (port !== "auto") return [];
    const sentence = `auto takes port ${free} for this folder`;
    if (free === ports[0]) return [{ check: "port", ok: true, found: sentence }];
    const next = `since ${ports[0]} is in use`;
    return [{ check: "port", ok: true, isWarning: true, found: `${sentence}, ${next}` }];
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    if (error.exitCode === EXIT.usage) return [];
    const isTaken = error.code === "PORT_TAKEN";
    const next = error.next.at(-1);
    const warning = isTaken && { isWarning: true };
    return [{ check: "port", ok: isTaken, ...warning, found: error.message, ...defined({ next }) }];
  }
};

/** Checks the simulator that commands here find, and its receiver; without one, the port for it. */
export const checkInstance = async (invocation: Invocation): Promise<Check[]> => {
  try {
    const { client } = findInstance(invocation);
    const { status, body } = await client.get<SimulatorStatus>("/status");
    if (status !== 200) throw new Error(`it answered ${status}`);
    const sentence = `${client.url} answers, service-sim ${body.version}, pid ${body.pid}`;
    const running: Check = body.stopped
      ? {
          check: "world",
          ok: false,
          found: `stopped: ${body.stopped.why}`,
          next: "service-sim status",
        }
      : { check: "running", ok: true, found: sentence };
    return [running, ...(await checkReceiver(body))];
  } catch {
    const none = {
      check: "running",
      ok: true,
      found: "no simulator is running here",
      isWarning: true,
    };
    return [none, ...(await checkPort(invocation))];
  }
};

const fixtureCheck = async (nameOrPath: string | object) => {
  try {
    await fixtureOf(nameOrPath);
  } catch (error) {
    throw error instanceof ScriptTextError
      ? usageError(
          `--fixture: ${error.message}`,
          "service-sim seed --schema    prints the JSON Schema of fixtures",
        )
      : error;
  }
};

/**
 * Checks the options by a start in memory. Leaves out the fixture's steps, since they would call a
 * receiver.
 */
export const checkSettings = async (invocation: Invocation): Promise<Check[]> => {
  try {
    if (invocation.configFailure) throw invocation.configFailure;
    portOf(invocation);
    requireStorage(invocation);
    const { fixture, ...options } = simulatorOptions(invocation, {
      storage: "memory:",
      worlds: "fixed",
    });
    if (fixture !== undefined) await fixtureCheck(fixture);
    const sim = await createSimulator({ ...options, host: String(invocation.options.host) });
    const target = checkTarget(sim.status());
    await sim.close();
    return [{ check: "settings", ok: true, found: "valid" }, ...target];
  } catch (error) {
    const failure = error instanceof CommandError ? error : startFailure(error);
    if (!(failure instanceof CommandError)) throw failure;
    const [next] = failure.next;
    return [{ check: "settings", ok: false, found: failure.message, ...defined({ next }) }];
  }
};

/**
 * Runs all checks.
 * @param stdout stream for the answers, whose environment is checked too
 */
export const checkTerminal = (stdout: { isTTY?: boolean }, term: string | undefined): Check => {
  if (!stdout.isTTY) return { check: "terminal", ok: true, found: "not a terminal" };
  return term === "dumb"
    ? { check: "terminal", ok: true, isWarning: true, found: "TERM=dumb: plain output" }
    : { check: "terminal", ok: true, found: "colors" };
};

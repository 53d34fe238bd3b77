import { connect } from "node:net";
import type { SimulatorStatus } from "../../contract/control/status.ts";
import { defined } from "../../contract/core/defined.ts";
import { fixtureOf } from "../../control/seed/fixture-files.ts";
import { FixtureTextError } from "../../control/seed/fixture-text.ts";
import { parseStorageUrl } from "../../runtime/storage/storage.ts";
import { createSimulator } from "../../simulator.ts";
import { CommandError, type Invocation, usageError } from "../frame/command.ts";
import { findInstance } from "../frame/reach.ts";
import { portOf, simulatorOptions, startFailure } from "../frame/simulator-options.ts";

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

/** @param version of Node.js: `22.11.0` */
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

/**
 * Whether anything listens there; nothing is said to it, since a receiver may take no call but a
 * webhook.
 * @returns why not
 */
const connects = (port: number, host: string) =>
  new Promise<string | undefined>((done) => {
    const probe = connect({ port, host });
    probe.setTimeout(CONNECT_TIMEOUT_MS, () => probe.destroy(new Error("no answer within 1s")));
    probe.on("connect", () => {
      probe.destroy();
      done(undefined);
    });
    probe.on("error", (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
  });

const portIn = ({ port, protocol }: URL) =>
  port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);

const checkReceiver = async ({ webhooks: { endpoint } }: SimulatorStatus): Promise<Check[]> => {
  if (endpoint === undefined) return [];
  const url = new URL(endpoint);
  // An address of IPv6 stands in brackets.
  const problem = await connects(portIn(url), url.hostname.replace(/^\[|\]$/g, ""));
  if (problem === undefined)
    return [{ check: "webhooks", ok: true, found: `${endpoint} takes connections` }];
  return [
    {
      check: "webhooks",
      ok: false,
      found: `${endpoint}: ${problem}`,
      next: "start your receiver, or PATCH /config with an endpoint that does",
    },
  ];
};

const ANY_ADDRESS = new Set(["0.0.0.0", "::"]);

/** A start would meet whoever has the port; no port at all is told by `checkSettings`. */
const checkPort = async ({ options }: Invocation): Promise<Check[]> => {
  const [port, host] = [Number(options.port), String(options.host)];
  if (!(port > 0 && port <= 65_535)) return [];
  const problem = await connects(port, ANY_ADDRESS.has(host) ? "127.0.0.1" : host);
  if (problem !== undefined) return [];
  return [
    {
      check: "port",
      ok: true,
      isWarning: true,
      found: `${port} is taken by another program`,
      next: "service-sim start --port 0    takes any free port",
    },
  ];
};

/** The simulator that commands here find, and its receiver; without one, the port for it. */
export const checkInstance = async (invocation: Invocation): Promise<Check[]> => {
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
    const none = { check: "running", ok: true, found: "no simulator runs here", isWarning: true };
    return [none, ...(await checkPort(invocation))];
  }
};

const fixtureCheck = async (nameOrPath: string | object) => {
  try {
    await fixtureOf(nameOrPath);
  } catch (error) {
    throw error instanceof FixtureTextError
      ? usageError(error.message, "service-sim seed --schema    prints what a fixture may hold")
      : error;
  }
};

/**
 * Whether a start would take the options: tried in memory, and without the fixture's steps, since
 * those would call a receiver.
 */
export const checkSettings = async (invocation: Invocation): Promise<Check> => {
  try {
    if (invocation.configFailure) throw invocation.configFailure;
    portOf(invocation);
    const { storage } = invocation.options;
    if (!parseStorageUrl(String(storage)))
      throw usageError(
        `Expected --storage to be memory: or file:<directory> but found "${storage}"`,
        "service-sim start --help",
      );
    const { fixture, ...options } = simulatorOptions(invocation, "memory:");
    if (fixture !== undefined) await fixtureCheck(fixture);
    await (await createSimulator(options)).close();
    return { check: "settings", ok: true, found: "a start takes them" };
  } catch (error) {
    const failure = error instanceof CommandError ? error : startFailure(error);
    if (!(failure instanceof CommandError)) throw failure;
    const [next] = failure.next;
    const found = failure.message;
    return { check: "settings", ok: false, found, ...defined({ next }) };
  }
};

/** @param stdout where the answers go, and what the environment says of it */
export const checkTerminal = (stdout: { isTTY?: boolean }, term: string | undefined): Check => {
  if (!stdout.isTTY) return { check: "terminal", ok: true, found: "not a terminal" };
  return term === "dumb"
    ? { check: "terminal", ok: true, isWarning: true, found: "TERM=dumb: plain output" }
    : { check: "terminal", ok: true, found: "colors" };
};

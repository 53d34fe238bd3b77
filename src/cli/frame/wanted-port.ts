import { ControlClient } from "../../client/control-client.ts";
import type { SimulatorStatus } from "../../contract/control/status.ts";
import { autoPorts, onFirstFree } from "../../http/sockets/auto-port.ts";
import { availablePort } from "../../http/sockets/listen.ts";
import { workingFolder } from "../../machine/working-folder.ts";
import type { ListenOptions } from "../../simulator.ts";
import { portFolderOf } from "../../storage/port-folder.ts";
import { parseStorageUrl } from "../../storage/world/storage-url.ts";
import { hints } from "../../text/layout.ts";
import { CommandError, EXIT, type Invocation } from "./command.ts";
import { portOf } from "./simulator-options.ts";

const OWNER_TIMEOUT_MS = 500;

/** A simulator that listens on a port; it tells its pid to callers of its own machine alone. */
interface PortOwner {
  url: string;
  pid?: number;
}

const EVERY_ADDRESS = new Set(["0.0.0.0", "::", "[::]"]);

/** Addresses at which a program answers that keeps others from a port. */
const namesOf = (host: string) => {
  if (EVERY_ADDRESS.has(host)) return ["127.0.0.1", "[::1]"];
  return [host.includes(":") && !host.startsWith("[") ? `[${host}]` : host];
};

/** The simulator that holds a port; nothing when another program does. */
const ownerOfPort = async ({
  port,
  host,
}: {
  port: number;
  host: string;
}): Promise<PortOwner | undefined> => {
  const origins = namesOf(host).flatMap((name) => [
    `http://${name}:${port}`,
    `https://${name}:${port}`,
  ]);
  const owners = await Promise.all(origins.map(simulatorAt));
  return owners.find((owner) => owner !== undefined);
};

const simulatorAt = async (url: string): Promise<PortOwner | undefined> => {
  try {
    const client = new ControlClient({ url, timeoutMs: OWNER_TIMEOUT_MS });
    const live = await client.get<{ live?: unknown }>("/live");
    if (live.status !== 200 || live.body?.live !== true) return undefined;
    const { status, body } = await client.get<Partial<SimulatorStatus>>("/status");
    return status === 200 && typeof body.pid === "number" ? { url, pid: body.pid } : { url };
  } catch {
    return undefined;
  }
};

/** The address to listen on, and the ports that are tried in order. */
export type Where = ListenOptions & { host: string; ports: readonly number[] };

/** The port of `--port`, and those that it stands for. */
export const wantedPorts = (invocation: Invocation) => {
  const port = portOf(invocation);
  if (port !== "auto") return { port, ports: [port] };
  const storage = parseStorageUrl(String(invocation.options.storage)) ?? { kind: "memory" };
  return { port, ports: autoPorts(portFolderOf(storage, workingFolder())) };
};

/**
 * Binds a port and releases it.
 * @returns the first of the wanted ports that is free
 * @throws CommandError that names the owner of the port
 */
export const requirePort = async (where: Where): Promise<number> => {
  try {
    return await onFirstFree(where.ports, (port) => availablePort(port, where.host));
  } catch (error) {
    throw await portFailure(error as NodeJS.ErrnoException, where);
  }
};

const PORT_ZERO = "service-sim start --port 0";
const FIRST_FREE_PORT = 1024;

const cannotListen = (error: NodeJS.ErrnoException, { ports: [port = 0], host }: Where) => {
  const needsRights = error.code === "EACCES" && port < FIRST_FREE_PORT;
  const why = needsRights
    ? `this user may not take a port below ${FIRST_FREE_PORT}`
    : error.message;
  return new CommandError(
    { code: "CANNOT_LISTEN", exitCode: EXIT.couldNotStart },
    `cannot listen on ${host}:${port}: ${why}`,
    needsRights
      ? hints([PORT_ZERO, "take any free port"])
      : ["service-sim start --host 127.0.0.1 --port 0"],
  );
};

/** Names the program that holds a port. */
const heldBy = (port: number, owner: PortOwner | undefined) => {
  const pid = owner?.pid === undefined ? "" : `, pid ${owner.pid}`;
  return `port ${port} is in use by ${owner ? `service-sim${pid}` : "another program"}`;
};

/** Explains a port that cannot be used. */
export const portFailure = async (error: NodeJS.ErrnoException, where: Where) => {
  if (error.code !== "EADDRINUSE") return cannotListen(error, where);
  const [port = 0, ...others] = where.ports;
  const last = others.at(-1);
  const owner = last === undefined ? await ownerOfPort({ port, host: where.host }) : undefined;
  const { pid, url } = owner ?? {};
  return new CommandError(
    {
      code: "PORT_TAKEN",
      exitCode: EXIT.couldNotStart,
      details: { port, ...(pid !== undefined && { pid }) },
    },
    last === undefined ? heldBy(port, owner) : `every port from ${port} to ${last} is in use`,
    hints(
      // Without a pid it did not answer: it listens beyond loopback and asks for its token.
      ...(pid === undefined ? [] : [[`service-sim status --url ${url}`, "use that one"] as const]),
      ...(last === undefined
        ? [["service-sim start --port auto", "take a port of this folder's own"] as const]
        : []),
      [PORT_ZERO, "take any free port"],
    ),
  );
};

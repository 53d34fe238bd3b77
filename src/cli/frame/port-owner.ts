import { ControlClient } from "../../client/control-client.ts";
import type { SimulatorStatus } from "../../contract/control/status.ts";

const OWNER_TIMEOUT_MS = 500;

/** A simulator that listens on a port; it tells its pid to callers of its own machine alone. */
export interface PortOwner {
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
export const ownerOfPort = async ({
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
  return owners.find((one) => one !== undefined);
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

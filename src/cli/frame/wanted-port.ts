import type { SimulatorStatus } from "../../contract/control/status.ts";
import { ControlClient } from "../../control/client.ts";
import { availablePort } from "../../http/listen.ts";
import type { ListenOptions } from "../../simulator.ts";
import { CommandError, EXIT } from "./command.ts";

const OWNER_TIMEOUT_MS = 500;

/** The address to listen on. */
export type Where = ListenOptions & { port: number; host: string };

/**
 * Binds a port and releases it.
 * @throws CommandError that names the owner of the port
 */
export const requirePort = async (where: Where) => {
  try {
    await availablePort(where.port, where.host);
  } catch (error) {
    throw await portFailure(error as NodeJS.ErrnoException, where);
  }
};

/** Explains a port that cannot be used. */
export const portFailure = async (error: NodeJS.ErrnoException, { port, host }: Where) => {
  if (error.code !== "EADDRINUSE")
    return new CommandError(
      { code: "CANNOT_LISTEN", exitCode: EXIT.couldNotStart },
      `cannot listen on ${host}:${port}: ${error.message}`,
      ["service-sim start --host 127.0.0.1 --port 0"],
    );
  const owner = await ownerOfPort(port);
  const found = owner === undefined ? "another program" : `service-sim, pid ${owner.pid}`;
  return new CommandError(
    {
      code: "PORT_TAKEN",
      exitCode: EXIT.couldNotStart,
      details: { port, ...(owner && { pid: owner.pid }) },
    },
    `port ${port} is in use by ${found}`,
    [
      ...(owner ? [`service-sim status --url ${owner.url}     use that one`] : []),
      "service-sim start --port 0                         take any free port",
    ],
  );
};

const ownerOfPort = async (port: number) =>
  (await simulatorAt(`http://127.0.0.1:${port}`)) ?? simulatorAt(`https://127.0.0.1:${port}`);

const simulatorAt = async (url: string) => {
  try {
    const client = new ControlClient({ url, timeoutMs: OWNER_TIMEOUT_MS });
    const { status, body } = await client.get<Partial<SimulatorStatus>>("/status");
    return status === 200 && typeof body.pid === "number" ? { url, pid: body.pid } : undefined;
  } catch {
    return undefined;
  }
};

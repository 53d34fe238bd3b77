import type { ControlClient } from "../../client/control-client.ts";
import type { SimulatorStatus } from "../../contract/control/status.ts";
import {
  CLIENT_OPTIONS,
  type Command,
  CommandError,
  EXIT,
  type Invocation,
} from "../frame/command.ts";
import { environmentOf } from "../frame/environment.ts";
import { findInstance, reach } from "../frame/reach.ts";

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Whether the URL in the environment belongs to a simulator that is gone. */
const isGone = async (invocation: Invocation) => {
  if (invocation.sources?.url !== "env") return false;
  const { client } = findInstance(invocation);
  return client.get("/live").then(
    () => false,
    () => true,
  );
};

/** Finds the simulator and its public key as it is now: the key may have been rotated. */
const findAnswering = async (invocation: Invocation) => {
  const { url: _gone, ...options } = invocation.options;
  const reached = findInstance(
    (await isGone(invocation)) ? { ...invocation, options } : invocation,
  );
  const webhookPublicKey = await reach(reached.client.get<string>("/webhooks/key"));
  return { ...reached, webhookPublicKey };
};

/** The user name of HTTP Basic that means the world of a client, and its brand. */
const settingsIn = async (client: ControlClient) =>
  (await reach(client.get<SimulatorStatus>("/status"))).settings;

export const command: Command = {
  name: "env",
  summary: "print the export lines for a running simulator",
  options: CLIENT_OPTIONS,
  examples: ['eval "$(service-sim env)"', "service-sim env --json"],
  run: async (invocation, terminal) => {
    const { client, instance, webhookPublicKey } = await findAnswering(invocation);
    if (!instance)
      throw new CommandError(
        { code: "NO_CREDENTIALS", exitCode: EXIT.notDone },
        `this folder has no credentials for ${client.url}; ` +
          "the simulator never sends them over HTTP",
        ["run it in the folder of service-sim start"],
      );
    const { clientId, brand, otpSignerPublicKey } = await settingsIn(client);
    const { world } = client.at;
    const environment = environmentOf({
      ...{ ...instance, clientId, webhookPublicKey, world, brand },
      otpSignerPublicKey,
    });
    terminal.document(environment);
    if (!terminal.json)
      for (const [name, value] of Object.entries(environment))
        terminal.answer(`export ${name}=${quoted(value)}`);
    return EXIT.done;
  },
};

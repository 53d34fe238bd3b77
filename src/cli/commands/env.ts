import { CLIENT_OPTIONS, type Command, CommandError, EXIT } from "../command.ts";
import { environmentOf } from "../environment.ts";
import { findInstance, reach } from "../reach.ts";

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

export const command: Command = {
  name: "env",
  summary: "print the export lines for a running simulator",
  options: CLIENT_OPTIONS,
  examples: ['eval "$(service-sim env)"', "service-sim env --json"],
  run: async (invocation, terminal) => {
    const { client, instance } = findInstance(invocation);
    await reach(client.get("/live"));
    if (!instance)
      throw new CommandError(
        { code: "NO_CREDENTIALS", exitCode: EXIT.notDone },
        `Expected instance.json of ${client.url} in this folder but found none; ` +
          "credentials are not given out over HTTP",
        ["run it in the folder where service-sim start runs"],
      );
    const environment = environmentOf(instance);
    terminal.document(environment);
    if (!terminal.json)
      for (const [name, value] of Object.entries(environment))
        terminal.answer(`export ${name}=${quoted(value)}`);
    return EXIT.done;
  },
};

import { expect, test } from "vitest";
import { files, layerOf, textOf } from "./setup/source-files.ts";

// A proxy of the environment would look for this machine's address on its own machine.
const filesWith = (pattern: RegExp) =>
  files.filter((file) => layerOf(file) !== "console" && pattern.test(textOf(file)));

test("fetch, which may go through a proxy, is called where NO_PROXY or the agent sees to it", () => {
  expect(filesWith(/(?<=(?:await|return|:|=) )fetch\((?!request: Request)/)).toEqual([
    // The commands set NO_PROXY for this machine in src/cli/main.ts.
    "cli/tasks/hosted-service.ts",
    "client/direct-fetch.ts",
    // The function that a simulator in this process is called with.
    "client/send.ts",
  ]);
});

test("requests of node:http name their agent, since the shared one may use a proxy", () => {
  const senders = filesWith(
    /import \{[^}]*\brequest\b[^}]*\} from "node:https?"|\{ request[^}]*\} = (process|http)/,
  );
  expect(senders).toEqual([
    "cli/tasks/capture-proxy.ts",
    "cli/tasks/platform-client.ts",
    "client/control-client.ts",
    "client/direct-fetch.ts",
    // Beside it, an agent of its own that keeps connections.
    "http/hop/hop-client.ts",
  ]);
  for (const file of senders) expect(textOf(file)).toContain("agent: false");
});

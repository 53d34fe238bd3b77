import type { CreatedWorld } from "../../contract/control/worlds.ts";
import type { CommandOption } from "../../options/option-row.ts";
import { brandOption } from "../frame/brand-file.ts";
import { CLIENT_OPTIONS, EXIT, type Invocation } from "../frame/command.ts";
import { findInstance, reach } from "../frame/reach.ts";
import { asCalled } from "../text/called-as.ts";
import type { Terminal } from "../text/terminal.ts";

/** Options of the commands that make a world. */
export const NEW_WORLD_OPTIONS: readonly CommandOption[] = [
  ...CLIENT_OPTIONS,
  {
    flags: "--client-id <text>",
    summary: "user name of HTTP Basic (default: the starting one, a plus sign and the name)",
    noEnvironment: true,
  },
  {
    flags: "--client-secret <text>",
    summary: "password of HTTP Basic (default: that of the starting world)",
    noEnvironment: true,
  },
  {
    flags: "--seed <text>",
    summary: "seed of the ids to come (default: that of its origin)",
    noEnvironment: true,
  },
  {
    flags: "--brand <word or file>",
    summary: "brand of this world on the wire (default: that of its origin)",
    noEnvironment: true,
  },
];

/** Makes a world and prints how to call it. */
export const makeWorld = async (
  invocation: Invocation,
  terminal: Terminal,
  { from }: { from: string | undefined },
): Promise<number> => {
  const { client } = findInstance(invocation);
  const [name] = invocation.args;
  const { clientId, clientSecret, seed, brand: word } = invocation.options;
  const brand = typeof word === "string" ? brandOption(word) : undefined;
  const made = await reach(
    client.post<CreatedWorld>("/worlds", { name, from, clientId, clientSecret, seed, brand }),
  );
  terminal.document(made);
  const { style } = terminal;
  terminal.print(
    `${style.mark("done")} world ${made.name} signs in as ${made.clientId}, at ${made.apiUrl}`,
    `  ${asCalled(`service-sim status --world ${made.name}`)}`,
  );
  if (terminal.quiet) terminal.answer(made.name);
  return EXIT.done;
};

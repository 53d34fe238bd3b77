import type { CreatedWorld } from "../../contract/control/worlds.ts";
import type { CommandOption } from "../../options/option-row.ts";
import { brandOption } from "../frame/brand-file.ts";
import { type ClientCommand, clientCommand } from "../frame/client-command.ts";
import { CLIENT_OPTIONS, type Invocation } from "../frame/command.ts";
import { asCalled } from "../text/called-as.ts";

/** Options of the commands that make a world. */
export const NEW_WORLD_OPTIONS: readonly CommandOption[] = [
  ...CLIENT_OPTIONS,
  {
    flags: "--client-id <text>",
    summary:
      "user name of HTTP Basic (default: that of the default world, a plus sign and the name)",
    noEnvironment: true,
  },
  {
    flags: "--client-secret <text>",
    summary: "password of HTTP Basic (default: that of the default world)",
    noEnvironment: true,
  },
  {
    flags: "--seed <text>",
    summary: "seed of new ids (default: that of its origin)",
    noEnvironment: true,
  },
  {
    flags: "--brand <word or file>",
    summary: "brand of this world (default: that of its origin)",
    noEnvironment: true,
  },
];

interface NewWorld
  extends Pick<ClientCommand<CreatedWorld>, "name" | "summary" | "examples" | "options"> {
  /** The state that the world begins as. */
  fromOf(options: Invocation["options"]): string | boolean | undefined;
}

/** A command that makes a world and prints how to call it. */
export const newWorldCommand = ({ fromOf, options = NEW_WORLD_OPTIONS, ...command }: NewWorld) =>
  clientCommand<CreatedWorld>({
    ...command,
    operands: "[name]",
    options,
    call: (invocation) => {
      const { clientId, clientSecret, seed, brand: word } = invocation.options;
      const [name] = invocation.args;
      const brand = typeof word === "string" ? brandOption(word) : undefined;
      const from = fromOf(invocation.options);
      return ["POST", "/worlds", { name, from, clientId, clientSecret, seed, brand }];
    },
    value: ({ name }) => name,
    lines: ({ name, clientId }, { mark }) => [
      `${mark("done")} world ${name} created, client id ${clientId}`,
      `  ${asCalled(`service-sim status --world ${name}`)}`,
    ],
  });

import { scenarioSchema } from "../../contract/control/scenarios.ts";
import { bundledScenarios, openScenario, type ScenarioFile } from "../../scripts/script-files.ts";
import { runScenario } from "../../scripts/script-run.ts";
import { ScriptTextError } from "../../scripts/script-text.ts";
import { WorldNotReadable } from "../../scripts/world-facts.ts";
import { safeJson } from "../../text/safe-text.ts";
import { CLIENT_OPTIONS, type Command, CommandError, EXIT, usageError } from "../frame/command.ts";
import { scenarioLines } from "../tasks/scenario-lines.ts";
import { openScenarioWorld } from "../tasks/scenario-world.ts";
import { asCalled } from "../text/called-as.ts";
import type { Terminal } from "../text/terminal.ts";

const NEXT = [
  "service-sim run payout          runs a scenario of the package",
  "service-sim run --schema        prints the JSON Schema of scenarios",
] as const;

const printSchema = (terminal: Terminal) => {
  const schema = scenarioSchema();
  if (terminal.json) terminal.document(schema);
  else terminal.answer(safeJson(schema, 2));
};

const opened = async (operand: string | undefined): Promise<ScenarioFile> => {
  if (operand === undefined)
    throw usageError("say which scenario, for example: run payout", ...NEXT);
  try {
    return await openScenario(operand);
  } catch (error) {
    throw error instanceof ScriptTextError ? usageError(error.message, ...NEXT) : error;
  }
};

const notReadable = (error: unknown): unknown => {
  if (!(error instanceof WorldNotReadable)) return error;
  const failure = { code: "WORLD_NOT_READABLE", exitCode: EXIT.notDone };
  return new CommandError(failure, error.message, ["service-sim status"]);
};

export const command: Command = {
  name: "run",
  summary: "run a scenario in a fork of the world and report what is not as expected",
  operands: "[scenario]",
  completes: { words: bundledScenarios(), after: {} },
  options: [
    ...CLIENT_OPTIONS,
    {
      flags: "--keep",
      summary: "keep the fork, to look at what the scenario left",
      noEnvironment: true,
    },
    { flags: "--schema", summary: "print the JSON Schema of scenarios", noEnvironment: true },
  ],
  notes: [
    "A scenario is a JSON file: requests with references to earlier answers, clock steps,",
    "and what answers, webhooks and balances must be. Of the package:",
    ...bundledLines(),
  ],
  examples: [
    "service-sim run payout",
    "service-sim run card-life --keep",
    "service-sim run --schema > scenario.schema.json",
  ],
  run: async (invocation, terminal) => {
    const { args, options } = invocation;
    if (options.schema === true) {
      printSchema(terminal);
      return EXIT.done;
    }
    const file = await opened(args[0]);
    const world = await openScenarioWorld(invocation, { keep: options.keep === true });
    try {
      const report = await runScenario(file, world.send);
      const { fork } = world;
      terminal.document({ ...report, world: fork });
      terminal.print(...scenarioLines(report, terminal.style));
      if (options.keep === true)
        terminal.print(`world ${fork} is kept: ${asCalled(`service-sim status --world ${fork}`)}`);
      return report.ok ? EXIT.done : EXIT.notDone;
    } catch (error) {
      throw notReadable(error);
    } finally {
      await world.end();
    }
  },
};

/** Names in lines that fit the help. */
function bundledLines(): string[] {
  const lines = [""];
  for (const name of bundledScenarios()) {
    const line = lines.at(-1) ?? "";
    if (line.length + name.length > 70) lines.push(name);
    else lines[lines.length - 1] = line === "" ? name : `${line}, ${name}`;
  }
  return lines;
}

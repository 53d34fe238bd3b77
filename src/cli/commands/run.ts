import { scenarioSchema } from "../../contract/control/scenarios.ts";
import { WORLD_HEADER } from "../../contract/control/world-header.ts";
import type { CreatedWorld } from "../../contract/control/worlds.ts";
import { jsonCall, type Send } from "../../scripts/script-call.ts";
import { bundledScenarios, openScenario, type ScenarioFile } from "../../scripts/script-files.ts";
import {
  type PlacedDifference,
  runScenario,
  type ScenarioReport,
  type StepReport,
} from "../../scripts/script-run.ts";
import { ScriptTextError } from "../../scripts/script-text.ts";
import { stepsIn } from "../../scripts/step-revisions.ts";
import { WorldNotReadable } from "../../scripts/world-facts.ts";
import { counted } from "../../text/layout.ts";
import { safeJson } from "../../text/safe-text.ts";
import {
  CLIENT_OPTIONS,
  type Command,
  CommandError,
  EXIT,
  type Invocation,
  usageError,
} from "../frame/command.ts";
import { findInstance, reach } from "../frame/reach.ts";
import { JUNIT_OPTION, reported } from "../tasks/ci-report.ts";
import { sendTo } from "../tasks/platform-client.ts";
import { brandReached } from "../tasks/world-brand.ts";
import { asCalled } from "../text/called-as.ts";
import type { CheckedCase } from "../text/junit.ts";
import { type Column, tableOf } from "../text/table.ts";
import type { Style, Terminal } from "../text/terminal.ts";

const NEXT = [
  "service-sim run payout          runs a bundled scenario",
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

/** The world that a scenario runs in. */
interface ScenarioWorld {
  send: Send;
  /** Name of the fork. */
  fork: string;
  /** Removes the fork, unless it is to be kept. */
  end(): Promise<void>;
}

const basic = ({ clientId, clientSecret }: CreatedWorld) =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;

/**
 * Forks the world of the running simulator, so that a scenario leaves nothing behind. The fork's
 * clock moves only by clock steps.
 */
const openScenarioWorld = async (
  invocation: Invocation,
  { keep }: { keep: boolean },
): Promise<ScenarioWorld> => {
  const { client } = findInstance(invocation);
  const { world } = client.at;
  const from = world === undefined ? {} : { from: `world:${world}` };
  const fork = await reach(client.post<CreatedWorld>("/worlds", from));
  const platform = {
    client,
    apiUrl: fork.apiUrl,
    authorization: basic(fork),
    worldHeader: { [WORLD_HEADER]: fork.name },
  };
  // A scenario states the words as stored; the world's answers have those of its brand.
  const send = sendTo(platform, await brandReached(client));
  await send(jsonCall("PUT", "/_sim/clock", { mode: "manual" }));
  return {
    send,
    fork: fork.name,
    end: async () => {
      if (!keep) await reach(client.delete(`/worlds/${fork.name}`));
    },
  };
};

const COLUMNS: readonly Column[] = [{}, { as: "text" }, { as: "path" }, {}, { leaves: 1 }];

const cellsOf = ({ step, name, did, result, id, ok }: StepReport, style: Style) => [
  `${step}`,
  name ?? "",
  did,
  `${style.mark(ok ? "done" : "failed")} ${result}`,
  id === undefined ? "" : style.id(id),
];

const differenceLines = (
  { line, at, expected, found }: PlacedDifference,
  { file, style }: { file: string; style: Style },
) => [
  `${style.color.dim(`${file}:${line}`)}  ${at}`,
  `  expected ${style.color.green(expected)}`,
  `  found    ${style.color.red(found)}`,
];

const ending = (
  { scenario, ok, steps, stepCount }: ScenarioReport,
  { mark, color }: Style,
): string => {
  const last = steps.at(-1);
  const named = last?.name === undefined ? "" : ` (${last.name})`;
  const said = ok
    ? `${counted(stepCount, "step")} as expected`
    : `step ${last?.step} of ${stepCount}${named} is not as expected`;
  return `${mark(ok ? "done" : "failed")} ${color.bold(scenario)}: ${said}`;
};

/** Each step of the file as CI shows it, also those behind the first failure. */
const casesOf = (report: ScenarioReport, { scenario: { steps } }: ScenarioFile): CheckedCase[] =>
  stepsIn(steps, report.revision).map(({ step }, index) => {
    const ran = report.steps[index];
    const what = step.name ?? ran?.did;
    const one = {
      name: [`step ${index + 1}`, what].filter(Boolean).join(", "),
      group: report.scenario,
    };
    if (!ran) return { ...one, outcome: "skipped" };
    const [first, ...others] = ran.differences ?? [];
    if (ran.ok || !first) return { ...one, outcome: ran.ok ? "passed" : "failed" };
    const says = ({ at, expected, found }: PlacedDifference) =>
      `${at}: expected ${expected} but found ${found}`;
    const at = { file: report.file, line: first.line };
    return { ...one, outcome: "failed", says: says(first), lines: others.map(says), at };
  });

/** A run as people read it: one row per step, then what differs. */
const scenarioLines = (report: ScenarioReport, style: Style): string[] => {
  const { steps, file } = report;
  const { rows } = tableOf(
    COLUMNS,
    steps.map((step) => cellsOf(step, style)),
    style.screen,
  );
  const differences = steps.flatMap(({ differences: all = [] }) =>
    all.flatMap((one) => differenceLines(one, { file, style })),
  );
  return [
    ...rows.flat(),
    "",
    ...(differences.length > 0 ? [...differences, ""] : []),
    ending(report, style),
  ];
};

const printReport = (
  report: ScenarioReport,
  { fork, isKept }: { fork: string; isKept: boolean },
  terminal: Terminal,
) => {
  terminal.document({ ...report, world: fork });
  terminal.print(...scenarioLines(report, terminal.style));
  if (isKept)
    terminal.print(`world ${fork} is kept: ${asCalled(`service-sim status --world ${fork}`)}`);
};

export const command: Command = {
  name: "run",
  summary: "run a scenario in a fork of the world and report every difference",
  operands: "[scenario]",
  completes: { words: bundledScenarios(), after: {} },
  options: [
    ...CLIENT_OPTIONS,
    {
      flags: "--keep",
      summary: "keep the fork, to inspect it afterwards",
      noEnvironment: true,
    },
    { flags: "--schema", summary: "print the JSON Schema of scenarios", noEnvironment: true },
    JUNIT_OPTION,
  ],
  notes: [
    "A scenario is a JSON file: requests with references to earlier answers, clock steps,",
    "and the expected answers, webhooks and balances. Bundled scenarios:",
    ...bundledLines(),
  ],
  examples: [
    "service-sim run payout",
    "service-sim run card-life --keep",
    "service-sim run payout --junit junit.xml",
    "service-sim run --schema > scenario.schema.json",
  ],
  run: async (invocation, terminal) => {
    const { args, options } = invocation;
    if (options.schema === true) {
      printSchema(terminal);
      return EXIT.done;
    }
    return reported("run", { invocation, terminal }, async (tell) => {
      const file = await opened(args[0]);
      const world = await openScenarioWorld(invocation, { keep: options.keep === true });
      try {
        const report = await runScenario(file, world.send);
        printReport(report, { fork: world.fork, isKept: options.keep === true }, terminal);
        tell(casesOf(report, file));
        return report.ok ? EXIT.done : EXIT.notDone;
      } catch (error) {
        throw notReadable(error);
      } finally {
        await world.end();
      }
    });
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

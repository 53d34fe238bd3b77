import type { ControlClient } from "../../client/control-client.ts";
import { NoAnswer } from "../../client/send.ts";
import type {
  Generated,
  SeedAdvance,
  SeedProgress,
  SeedReport,
  SeedRequest,
} from "../../contract/control/seed.ts";
import { inGroups } from "../../contract/core/digit-groups.ts";
import { fixtureSchema } from "../../contract/platform/fixtures.ts";
import { GENERATED_STATES } from "../../contract/platform/generate.ts";
import { bundledNames, isPath } from "../../scripts/bundled-names.ts";
import { pastSpanMs } from "../../scripts/fixture-check.ts";
import { type FixtureFile, openFixture } from "../../scripts/script-files.ts";
import { type ProblemKind, ScriptProblem } from "../../scripts/script-problem.ts";
import { ScriptTextError } from "../../scripts/script-text.ts";
import { counted, shortInstant } from "../../text/layout.ts";
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
import { GENERATE_EXAMPLE, generateOf } from "../tasks/generate-text.ts";
import { type Column, tableOf } from "../text/table.ts";
import type { Style, Terminal } from "../text/terminal.ts";
import { cutRows } from "./advance.ts";

const NEXT = [
  "service-sim seed --schema              prints the JSON Schema of fixtures",
  "service-sim seed payouts-demo          loads a bundled fixture",
] as const;

const PATH_HINT = "service-sim seed ./payouts.json        a path has a slash or ends in .json";

/**
 * Reads and checks a fixture file here, where its lines are known. Returns undefined for a name.
 */
const localFixture = async (operand: string): Promise<FixtureFile | undefined> => {
  if (!isPath(operand)) return undefined;
  try {
    return await openFixture(operand);
  } catch (error) {
    throw error instanceof ScriptTextError ? usageError(error.message, ...NEXT) : error;
  }
};

/** A problem with a fixture as the simulator reports it. */
interface ProblemDetails {
  kind: ProblemKind;
  at: (string | number)[];
  onName: boolean;
  expected: string;
  found: string;
}

const problemIn = ({ details }: CommandError): ProblemDetails | undefined => {
  const problem = details as Partial<ProblemDetails> | undefined;
  return Array.isArray(problem?.at) && problem.expected !== undefined
    ? (problem as ProblemDetails)
    : undefined;
};

const NEXT_AFTER = ["service-sim status                     nothing was changed"];

/** Adds the lines of the sent file to a refused seed. */
const seedFailure = (error: unknown, local: FixtureFile | undefined): unknown => {
  if (!(error instanceof CommandError)) return error;
  if (error.details?.field === "name") return usageError(error.message, ...NEXT, PATH_HINT);
  const details = problemIn(error);
  if (!details) return error;
  const { kind, at, onName, expected, found } = details;
  const problem = new ScriptProblem(kind, { path: at, onName, expected, found });
  const exitCode = kind === "invalid" ? EXIT.usage : EXIT.notDone;
  const message = local ? local.located(problem).message : error.message;
  const failure = { code: error.code, exitCode, details: { ...details } };
  return new CommandError(failure, message, NEXT_AFTER);
};

/** Real time between two looks at a seed that continues. */
const LOOK_EVERY_MS = 2_000;

const noted = async (client: ControlClient, terminal: Terminal) => {
  try {
    const { status, body } = await client.get<SeedProgress>("/seed");
    if (status !== 200 || body.total === 0) return;
    const [done, total] = [body.done, body.total].map((count) => inGroups(count));
    terminal.note(`${done} of ${total} records made`);
  } catch (error) {
    // A simulator that is gone is told by the seed itself.
    if (!(error instanceof NoAnswer)) throw error;
  }
};

/** Runs a seed; one that takes long tells on stderr how far it is. */
const withProgress = async <Report>(
  client: ControlClient,
  terminal: Terminal,
  seed: () => Promise<Report>,
): Promise<Report> => {
  const looks = setInterval(() => void noted(client, terminal), LOOK_EVERY_MS);
  try {
    return await seed();
  } finally {
    clearInterval(looks);
  }
};

const BUNDLED = bundledNames();

const isAdvance = (step: SeedRequest | SeedAdvance): step is SeedAdvance => "advance" in step;

const advanceCells = ({ advance, to, firedCount, webhookCount }: SeedAdvance, { color }: Style) => [
  "",
  color.cyan(`advance ${advance}`),
  shortInstant(to, to),
  `${counted(firedCount, "timer")} fired, ${counted(webhookCount, "webhook attempt")}`,
];

const requestCells = (
  { name, method, path, status, id }: SeedRequest,
  { mark, id: short }: Style,
) => [
  name ?? "",
  `${method} ${shortPath(path, short)}`,
  `${mark(status < 400 ? "done" : "over")} ${status}`,
  id === undefined ? "" : short(id),
];

/** Shortens ids inside paths like any other. */
const shortPath = (path: string, short: Style["id"]) =>
  path.replace(/[A-Za-z]+:[0-9a-f-]{36}/g, (id) => short(id));

const COLUMNS: readonly Column[] = [{ as: "text" }, { as: "path" }, {}, { leaves: 1 }];

const generatedLine = ({ customers, externalAccounts, quotes }: Generated, { mark }: Style) => {
  const made = [
    counted(customers, "customer"),
    counted(externalAccounts, "external account"),
    counted(quotes, "quote"),
  ];
  return `${mark("done")} generated: ${made.join(", ")}`;
};

/** The transcript of a fixture: one row per step, its name first. */
export const formatSeed = ({ fixture, steps, generated }: SeedReport, style: Style): string[] => {
  const advances = steps.filter(isAdvance).length;
  const rows = steps.map((step) =>
    isAdvance(step) ? advanceCells(step, style) : requestCells(step, style),
  );
  const requests = counted(steps.length - advances, "request");
  const moves = advances > 0 ? `, ${counted(advances, "clock step")}` : "";
  if (generated && steps.length === 0) return [generatedLine(generated, style)];
  return [
    ...(rows.length > 0 ? [...cutRows(tableOf(COLUMNS, rows, style.screen).rows), ""] : []),
    `${style.mark("done")} ${style.color.bold(fixture)} loaded: ${requests}${moves}`,
    ...(generated ? [generatedLine(generated, style)] : []),
  ];
};

const printSchema = (terminal: Terminal) => {
  const schema = fixtureSchema();
  if (terminal.json) terminal.document(schema);
  else terminal.answer(safeJson(schema, 2));
};

export const command: Command = {
  name: "seed",
  summary: "load a fixture by name or path, or generate customers and quotes",
  operands: "[fixture]",
  options: [
    ...CLIENT_OPTIONS,
    {
      flags: "--generate <list>",
      summary: "generate records: kind=count, with weights of states after a colon",
      noEnvironment: true,
    },
    {
      flags: "--over <span>",
      summary: "spread generated records over this span before now (default: 30d)",
      noEnvironment: true,
    },
    {
      flags: "--schema",
      summary: "print the JSON Schema of fixtures",
      noEnvironment: true,
    },
  ],
  notes: [
    `Bundled fixtures:  ${BUNDLED.join(", ")}.`,
    "Generated records cover the last 30 days, follow the rules of calls and send no webhooks.",
    `States of quotes: ${GENERATED_STATES.quotes.join(", ")}.`,
    `States of customers: ${GENERATED_STATES.customers.join(", ")}.`,
  ],
  examples: [
    "service-sim seed payouts-demo",
    "service-sim seed --generate customers=500,quotes=2000:COMPLETED=70,EXPIRED=20,FAILED=10",
    "service-sim seed --schema > fixture.schema.json",
  ],
  run: async (invocation, terminal) => {
    if (invocation.options.schema === true) {
      printSchema(terminal);
      return EXIT.done;
    }
    const local = await givenFixture(invocation);
    const input = seedInput(invocation, local);
    const { client } = findInstance(invocation);
    try {
      const report = await withProgress(client, terminal, () =>
        reach(client.post<SeedReport>("/seed", input)),
      );
      terminal.document(report);
      terminal.print(...formatSeed(report, terminal.style));
      terminal.next("service-sim status");
      return EXIT.done;
    } catch (error) {
      throw seedFailure(error, local);
    }
  },
};

const givenFixture = async ({ args: [fixture], options }: Invocation) => {
  const isGenerated = typeof options.generate === "string";
  if (!isGenerated && options.over !== undefined)
    throw usageError("--over needs --generate", GENERATE_EXAMPLE);
  if (isGenerated && fixture !== undefined)
    throw usageError("give a fixture or --generate, not both", GENERATE_EXAMPLE);
  if (isGenerated) return undefined;
  if (fixture !== undefined) return localFixture(fixture);
  throw usageError(
    "say which fixture, for example: seed payouts-demo",
    "service-sim seed payouts-demo",
  );
};

const overOf = (over: string | boolean | undefined) => {
  if (typeof over !== "string") return {};
  try {
    pastSpanMs({ over });
    return { over };
  } catch (error) {
    throw error instanceof ScriptProblem
      ? usageError(error.sentenceAt("--over"), `${GENERATE_EXAMPLE} --over 7d`)
      : error;
  }
};

/** Body of POST /_sim/seed. */
const seedInput = ({ args: [name], options }: Invocation, local: FixtureFile | undefined) => {
  const { generate, over } = options;
  if (typeof generate === "string")
    return { generate: { ...generateOf(generate), ...overOf(over) } };
  return local ? { fixture: local.fixture } : { name };
};

import type { SeedAdvance, SeedReport, SeedRequest } from "../../contract/control/seed.ts";
import { fixtureSchema } from "../../contract/platform/fixtures.ts";
import { CLIENT_OPTIONS, type Command, EXIT, usageError } from "../frame/command.ts";
import { findInstance, reach } from "../frame/reach.ts";
import { localFixture, seedFailure } from "../tasks/fixture-files.ts";
import { counted, shortInstant } from "../text/layout.ts";
import { safeJson } from "../text/safe-text.ts";
import { type Column, tableOf } from "../text/table.ts";
import type { Style, Terminal } from "../text/terminal.ts";
import { cutRows } from "./advance.ts";

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

/** The transcript of a fixture: one row per step, its name first. */
export const formatSeed = ({ fixture, steps }: SeedReport, style: Style): string[] => {
  const advances = steps.filter(isAdvance).length;
  const rows = steps.map((step) =>
    isAdvance(step) ? advanceCells(step, style) : requestCells(step, style),
  );
  const requests = counted(steps.length - advances, "request");
  const moves = advances > 0 ? `, ${counted(advances, "clock step")}` : "";
  return [
    ...(rows.length > 0 ? [...cutRows(tableOf(COLUMNS, rows, style.screen).rows), ""] : []),
    `${style.mark("done")} ${style.color.bold(fixture)} loaded: ${requests}${moves}`,
  ];
};

const printSchema = (terminal: Terminal) => {
  const schema = fixtureSchema();
  if (terminal.json) terminal.document(schema);
  else terminal.answer(safeJson(schema, 2));
};

export const command: Command = {
  name: "seed",
  summary: "load a fixture: a bundled one by name, or a JSON file by path",
  operands: "[fixture]",
  options: [
    ...CLIENT_OPTIONS,
    {
      flags: "--schema",
      summary: "print the JSON Schema of fixtures",
      noEnvironment: true,
    },
  ],
  examples: ["service-sim seed payouts-demo", "service-sim seed --schema > fixture.schema.json"],
  run: async (invocation, terminal) => {
    if (invocation.options.schema === true) {
      printSchema(terminal);
      return EXIT.done;
    }
    const [fixture] = invocation.args;
    if (fixture === undefined)
      throw usageError(
        "say which fixture, for example: seed payouts-demo",
        "service-sim seed payouts-demo",
      );
    const local = await localFixture(fixture);
    const { client } = findInstance(invocation);
    try {
      const request = local ? { fixture: local.fixture } : { name: fixture };
      const report = await reach(client.post<SeedReport>("/seed", request));
      terminal.document(report);
      terminal.print(...formatSeed(report, terminal.style));
      terminal.next("service-sim status");
      return EXIT.done;
    } catch (error) {
      throw seedFailure(error, local);
    }
  },
};

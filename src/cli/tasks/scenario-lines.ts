import type { PlacedDifference, ScenarioReport, StepReport } from "../../scripts/script-run.ts";
import { counted } from "../../text/layout.ts";
import { type Column, tableOf } from "../text/table.ts";
import type { Style } from "../text/terminal.ts";

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

/** A run as people read it: one row per step, then what differs. */
export const scenarioLines = (report: ScenarioReport, style: Style): string[] => {
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

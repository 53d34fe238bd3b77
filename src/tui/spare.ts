import type { OutcomeGroup } from "../contract/control/outcomes.ts";
import type { RowContext } from "../rows/column.ts";
import { shortOf } from "../rows/list.ts";
import { span } from "../rows/span.ts";
import { safeLine } from "../text/safe-text.ts";
import { detailLines } from "./detail.ts";
import { firstStepLines } from "./first-steps.ts";
import { folded } from "./fold.ts";
import { quietHelp } from "./help.ts";
import { fitLine, type Line, textLine } from "./line.ts";
import { listWord } from "./pane-title.ts";
import { quietRule } from "./rule.ts";
import type { Scene } from "./scene.ts";
import type { Detail } from "./view.ts";

/** Lines from which on the chosen row is shown below the panes, with its title. */
export const PREVIEW_FROM = 10;

/** Path of the test rules, which stand where no row can be chosen. */
export const OUTCOMES_PATH = "/outcomes";

const widest = (texts: readonly string[]) => Math.max(...texts.map(({ length }) => length));

const outcomeLines = (groups: readonly OutcomeGroup[]): Line[] =>
  groups.flatMap(({ title, reads, rows }) => {
    const matchWidth = widest(rows.map(({ match }) => match)) + 2;
    const endWidth = widest(rows.map(({ ends }) => ends)) + 2;
    return [
      [span(`  ${title.toLowerCase()}`), span(`  by ${safeLine(reads)}`, "dim")],
      ...rows.map(
        ({ match, ends, says }): Line => [
          span(`    ${match.padEnd(matchWidth)}`, "bold"),
          span(`${ends.padEnd(endWidth)}${safeLine(says)}`),
        ],
      ),
    ];
  });

const previewLines = (scene: Scene, preview: Detail, context: RowContext): Line[] => {
  const { watched, story } = scene;
  if (preview.path === OUTCOMES_PATH) {
    const { data = [] } = (preview.body ?? {}) as { data?: readonly OutcomeGroup[] };
    return [quietRule("Test rules", "service-sim outcomes", context.width), ...outcomeLines(data)];
  }
  const title = `${listWord(preview.list)} › ${shortOf(preview.id, context)}`;
  const narrow = { ...context, width: context.width - 2 };
  const lines = folded(detailLines(watched, preview, { context: narrow, story }), narrow.width);
  return [
    quietRule(safeLine(title), "enter opens it", context.width),
    ...lines.map((line) => [span("  "), ...line]),
  ];
};

/** The last line tells that there is more. */
const cutTo = (lines: readonly Line[], height: number, context: RowContext): Line[] =>
  lines.length <= height
    ? [...lines]
    : [...lines.slice(0, height - 1), textLine(`  ${context.ellipsis}`, "dim")];

/**
 * The lines below the panes, as far as they go: the way through a first payment, the chosen row in
 * full, the keys.
 */
export const spareLines = (scene: Scene, room: number, context: RowContext): Line[] => {
  const { preview } = scene.view;
  const steps = firstStepLines(scene.watched, context);
  const lines = steps.length <= room ? [...steps] : [];
  const left = room - lines.length;
  if (preview && left >= PREVIEW_FROM)
    lines.push(...cutTo(previewLines(scene, preview, context), left, context));
  const help = quietHelp(context);
  if (lines.length + help.length <= room) lines.push(...help);
  return lines.map((line) => fitLine(line, context.width, context.ellipsis));
};

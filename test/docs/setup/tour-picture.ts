import { formatDemo } from "../../../src/cli/commands/demo.ts";
import type { DemoReport } from "../../../src/cli/tasks/demo-walk.ts";
import { plainStyle } from "../../../src/cli/text/terminal.ts";
import type { Span } from "../../../src/rows/span.ts";
import { drawnLine, pictureAround } from "../../tui/setup/screen-picture.ts";

/** The moving picture of the README; `npm run screen` rewrites it. */
export const TOUR_FILE = "src/docs/tour.svg";

/** Seconds of one round; each scene has its share of them. */
const ROUND = 20;
const DEMO = { from: 0, to: 9 };
const DRAG = { from: 9, to: 15 };
const WEBHOOKS = { from: 15, to: ROUND };

const COLUMNS = 80;
const LINES = 16;

const percent = (seconds: number) => `${Math.round((seconds / ROUND) * 1000) / 10}%`;

/** Elements that are shown for a while, and the rules that show them. */
class Reel {
  readonly drawn: string[] = [];
  private readonly rules: string[] = [];

  /** @param isStill shown where a reader wants no motion */
  show(elements: readonly string[], { from, to }: { from: number; to: number }, isStill = false) {
    const name = `s${this.rules.length}`;
    const hidden = "{opacity:0}";
    const before = from === 0 ? "" : `0%${hidden}`;
    const after = to === ROUND ? "" : `${percent(to)}${hidden}`;
    this.rules.push(
      `@keyframes ${name}{${before}${percent(from)}{opacity:1}${after}}` +
        `.${name}{opacity:${isStill ? 1 : 0}}` +
        `@media(prefers-reduced-motion:no-preference){.${name}{animation:${name} ${ROUND}s step-end infinite}}`,
    );
    this.drawn.push(`<g class="${name}">`, ...elements, "</g>");
  }

  style(more: string) {
    return [...this.rules, more].join("");
  }
}

const title = (text: string): Span[] => [{ text, look: "bold" }];

/** A line with its marks in the colors that a terminal gives them. */
const colored = (text: string): Span[] =>
  text
    .split(/(✓|COMPLETED|PROCESSING)/)
    .filter(Boolean)
    .map((part): Span => {
      if (part === "PROCESSING") return { text: part, look: "yellow" };
      return part === "✓" || part === "COMPLETED" ? { text: part, look: "green" } : { text: part };
    });

const demoScene = (reel: Reel, lines: readonly string[]) => {
  reel.show(drawnLine(title("$ npx service-sim demo"), 0), DEMO, true);
  lines.forEach((line, index) => {
    const from = DEMO.from + 0.8 + index * 0.4;
    reel.show(drawnLine(colored(line), index + 2), { from, to: DEMO.to }, true);
  });
};

const AXIS = { left: 60, minute: 80, y: 190 };

const xAt = (minute: number) => AXIS.left + minute * AXIS.minute;

const tick = (minute: number) =>
  `<path d="M${xAt(minute)} ${AXIS.y}v6" stroke="#8b949e"/>` +
  `<text x="${xAt(minute) - 17}" y="${AXIS.y + 22}" fill="#8b949e" font-size="12">09:0${minute}</text>`;

/** The console's line of time: the clock is dragged past the instant at which the payment settles. */
const dragScene = (reel: Reel, arrived: string) => {
  const minutes = [0, 1, 2, 3, 4, 5, 6, 7];
  const [starts, ends] = [DRAG.from + 1.5, DRAG.to - 2];
  const row = (text: string, line: number) => drawnLine(colored(text), line);
  reel.show(
    [
      ...drawnLine(title("In the console: drag the clock"), 0),
      `<path d="M${xAt(0)} ${AXIS.y}H${xAt(7)}" stroke="#8b949e"/>`,
      ...minutes.map(tick),
      `<path d="M${xAt(6)} ${AXIS.y}v-34" stroke="#e3b341"/>`,
      `<text x="${xAt(6) - 50}" y="${AXIS.y - 42}" fill="#e3b341" font-size="12">payment.settle</text>`,
      `<g class="clock"><path d="M${xAt(0)} ${AXIS.y - 14}v28" stroke="#56d4dd" stroke-width="3"/>` +
        `<circle cx="${xAt(0)}" cy="${AXIS.y - 14}" r="7" fill="#56d4dd"/></g>`,
    ],
    DRAG,
  );
  reel.show(row(`  payment of ${arrived}    PROCESSING`, 3), { from: DRAG.from, to: ends });
  reel.show(row(`  payment of ${arrived}    COMPLETED`, 3), { from: ends, to: DRAG.to });
  const moving =
    `@keyframes drag{0%,${percent(starts)}{transform:none}` +
    `${percent(ends)},100%{transform:translateX(${6 * AXIS.minute}px)}}` +
    `.clock{animation:drag ${ROUND}s ease-in-out infinite}`;
  return moving;
};

const webhookScene = (reel: Reel, { types, verified }: DemoReport["webhooks"]) => {
  reel.show(drawnLine(title("Your endpoint gets each webhook, signed"), 0), WEBHOOKS);
  // Webhooks of other records overtake them.
  const payment = types.filter((type) => type.startsWith("OUTGOING_PAYMENT"));
  const lines = payment.map((type) => `  ${type.padEnd(28)} ✓ 200, verified`);
  [...lines, "", `  ${verified} webhooks, all verified`].forEach((line, index) => {
    const from = WEBHOOKS.from + 0.6 + index * 0.5;
    reel.show(drawnLine(colored(line), index + 2), { from, to: WEBHOOKS.to });
  });
};

/** The port, the milliseconds and the name of the program, which each run has for itself. */
const withoutChance = (report: DemoReport): DemoReport => ({
  ...report,
  wallMs: 89,
  steps: report.steps.map((step) => ({
    ...step,
    says: step.says.replace(/^.* advance /, "npx service-sim advance "),
    shows: step.shows.replace(/127\.0\.0\.1:\d+/, "127.0.0.1:40899"),
  })),
});

/** The moving picture of what a demo has done: its lines, the clock, the webhooks. */
export const tourPicture = (ran: DemoReport): string => {
  const report = withoutChance(ran);
  const reel = new Reel();
  demoScene(reel, formatDemo(report, plainStyle()));
  const moving = dragScene(reel, report.arrived);
  webhookScene(reel, report.webhooks);
  return pictureAround(reel.drawn, {
    title:
      "A payout of six minutes: the demo, the clock dragged in the console, the signed webhooks",
    lines: LINES,
    columns: COLUMNS,
    style: reel.style(moving),
  });
};

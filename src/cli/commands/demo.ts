import { showDuration } from "../../domain/core/durations.ts";
import { type Command, EXIT } from "../frame/command.ts";
import { type DemoReport, walkDemo } from "../tasks/demo-walk.ts";
import { asCalled } from "../text/called-as.ts";
import { type Column, tableLines } from "../text/table.ts";
import type { Style, Terminal } from "../text/terminal.ts";

const COLUMNS: readonly Column[] = [{}, { as: "path" }, {}, { as: "words", least: 16 }];

export const formatDemo = (report: DemoReport, style: Style): string[] => {
  const { mark } = style;
  const { steps, webhooks, arrived, simulatedMs, wallMs, ok } = report;
  const rows = steps.map((step) => [
    `${step.ok ? " " : mark("failed")} ${step.n}`,
    step.says,
    String(step.status),
    step.shows,
  ]);
  const span = `${showDuration(simulatedMs)} of simulated time in ${wallMs} ms`;
  return [
    "A USD to EUR payout that takes six minutes, on a simulator in memory",
    "",
    ...tableLines(COLUMNS, rows, style),
    "",
    ok
      ? `${mark("done")} ${arrived} arrived: ${span}; ${webhooks.received} webhooks, all verified`
      : `${mark("failed")} a step differed: ${webhooks.received} webhooks, ${webhooks.verified} verified (${webhooks.types.join(", ")})`,
  ];
};

/** The walk as shell lines, without its first step: that receiver ends with the demo. */
const curlLines = ({ steps }: DemoReport) => [
  asCalled("# with service-sim start running in this folder:"),
  asCalled('eval "$(service-sim env)"'),
  ...steps.slice(1).map(({ curl, says }) => curl ?? says),
];

const tellCurl = (report: DemoReport, terminal: Terminal) => {
  if (!terminal.json && !terminal.quiet) terminal.show(curlLines(report));
};

export const command: Command = {
  name: "demo",
  summary: "play a slow payout from start to end, with a receiver that verifies webhooks",
  options: [
    {
      flags: "--curl",
      summary: "print the same steps as shell commands",
      noEnvironment: true,
    },
  ],
  examples: ["service-sim demo", "service-sim demo --curl"],
  run: async ({ options }, terminal) => {
    const report = await walkDemo();
    terminal.document(report);
    // Lines of shell stay whole: a wrapped one could not be pasted.
    if (options.curl === true && report.ok) tellCurl(report, terminal);
    else terminal.print(...formatDemo(report, terminal.style));
    if (report.ok && options.curl !== true)
      terminal.next("service-sim demo --curl    prints the calls as shell commands");
    return report.ok ? EXIT.done : EXIT.notDone;
  },
};

import type { Rewound, Undone } from "../../contract/control/rewind.ts";
import { defined } from "../../contract/core/defined.ts";
import { inGroups } from "../../contract/core/digit-groups.ts";
import { showDuration } from "../../domain/core/durations.ts";
import { counted, fullInstant, instantsAmong } from "../../text/layout.ts";
import { clientCommand } from "../frame/client-command.ts";
import { CLIENT_OPTIONS, type Invocation, usageError } from "../frame/command.ts";
import type { Style } from "../text/terminal.ts";

/** Acts shown one by one; `--json` has more. */
const SHOWN_ACTS = 8;

const undoneText = ({ changes, requests, timers, webhooks }: Undone) =>
  changes === 0
    ? "nothing"
    : `${counted(requests, "request")}, ${counted(timers, "timer")}, ${counted(webhooks, "webhook")}`;

const actLines = ({ from, undone: { acts, requests, timers } }: Rewound, { color, id }: Style) => {
  const at = instantsAmong([from, ...acts.map((act) => act.at)]);
  const more = requests + timers - Math.min(acts.length, SHOWN_ACTS);
  return [
    ...acts
      .slice(0, SHOWN_ACTS)
      .map((act) => `  ${at(act.at)}  ${color.cyan(act.by)}  ${shownCause(act.cause, id)}`),
    ...(more > 0 ? [`  … ${inGroups(more)} more`] : []),
  ];
};

/** Shortens the ids inside a timer's own. */
const shownCause = (cause: string, short: Style["id"]) =>
  cause.replace(/^\S+ (?=\S+:)/, "").replace(/[A-Za-z]+:[0-9a-f-]{36}/g, (one) => short(one));

export const formatRewound = (reply: Rewound, style: Style): string[] => {
  const { from, to, undone, snapshot } = reply;
  const backMs = Date.parse(from) - Date.parse(to);
  const span = showDuration(backMs < 1000 ? backMs : Math.round(backMs / 1000) * 1000);
  const verb = snapshot === undefined ? "would undo" : "undone";
  return [
    `clock  ${fullInstant(from)} → ${fullInstant(to)}${backMs === 0 ? "" : `    -${span}`}`,
    "",
    ...actLines(reply, style),
    ...(undone.acts.length > 0 ? [""] : []),
    `${style.mark(snapshot === undefined ? "waits" : "done")} ${verb}: ${undoneText(undone)}`,
    ...(snapshot === undefined
      ? []
      : [`  service-sim snapshot load ${snapshot}    undoes the rewind`]),
  ];
};

const requestOf = ({ args: [by], options }: Invocation) => {
  const goals = {
    ...defined({ by }),
    ...(typeof options.to === "string" && { to: options.to }),
    ...(typeof options.before === "string" && { before: options.before }),
  };
  const count = Object.keys(goals).length;
  if (count !== 1)
    throw usageError(
      count === 0
        ? "say how far, for example: rewind 10m"
        : "use only one: a span, --to or --before",
      "service-sim rewind 10m",
    );
  return {
    ...goals,
    ...(options.hold === true && { hold: true }),
    ...(options.dryRun === true && { dryRun: true }),
  };
};

export const command = clientCommand<Rewound>({
  name: "rewind",
  summary: "take the world and its clock back in time; a snapshot keeps what is undone",
  operands: "[span]",
  options: [
    ...CLIENT_OPTIONS,
    { flags: "--to <instant>", summary: "go back to an instant", noEnvironment: true },
    {
      flags: "--before <id>",
      summary: "go back to before a record, request, webhook or timer; last: the last change",
      noEnvironment: true,
    },
    {
      flags: "--hold",
      summary: "do not resend webhooks that were not yet accepted then",
      noEnvironment: true,
    },
    { flags: "--dry-run", summary: "only show what would be undone", noEnvironment: true },
  ],
  examples: [
    "service-sim rewind 10m",
    "service-sim rewind --to 2026-01-05T09:00:00Z",
    "service-sim rewind --before req-1-7",
    "service-sim rewind --before last --dry-run",
  ],
  call: (invocation) => ["POST", "/clock/rewind", requestOf(invocation)],
  lines: formatRewound,
});

import type { RequestLine } from "../../capsules/capsule-lines.ts";
import { type Capsule, UnreadableCapsule } from "../../capsules/read-capsule.ts";
import { skippedCall } from "../../capsules/refused-calls.ts";
import type { RefusedCall } from "../../contract/control/recordings.ts";
import { refusedRows } from "../../contract/control/refused-rows.ts";
import { contractNote, type Divergence, Replay } from "../../replay/replay.ts";
import type { LocalSimulator } from "../../simulator.ts";
import { counted } from "../../text/layout.ts";
import { type Command, CommandError, EXIT, type Invocation } from "../frame/command.ts";
import { startFailure } from "../frame/simulator-options.ts";
import { portFailure, wantedPorts } from "../frame/wanted-port.ts";
import { openCapsule, unreadable } from "../tasks/capsule-file.ts";
import { quoted } from "../text/called-as.ts";
import type { Terminal } from "../text/terminal.ts";

export const command: Command = {
  name: "replay",
  summary: "repeat a run from its capsule, without network, and show the first difference",
  operands: "<file>",
  options: [
    {
      flags: "--until <request>",
      summary: "stop before this request, by its id or its entry, and continue as a simulator",
      noEnvironment: true,
    },
    {
      flags: "--partial",
      summary: "repeat a file that is cut off, up to its last whole line",
      noEnvironment: true,
    },
    {
      flags: "--port <number or auto>",
      summary: "port to listen on after --until; 0 picks a free one",
      default: "0",
    },
  ],
  examples: ["service-sim replay run.capsule", "service-sim replay run.capsule --until req-1-12"],
  run: async (invocation, terminal) => {
    const [file = ""] = invocation.args;
    const capsule = openCapsule(file);
    const other = contractNote(capsule);
    if (other !== undefined) terminal.note(other);
    if (capsule.cutAfter !== undefined) {
      if (invocation.options.partial !== true) throw cutOff(file, capsule.cutAfter);
      terminal.note(
        `the file is cut off after line ${capsule.cutAfter}; it is repeated up to there`,
      );
    }
    const failed = (error: unknown) => {
      throw error instanceof UnreadableCapsule ? unreadable(error) : startFailure(error);
    };
    const replay = await Replay.open(capsule).catch(failed);
    try {
      const { until } = invocation.options;
      const wanted = typeof until === "string" ? until : undefined;
      const report = await replay.run(wanted).catch(failed);
      const { divergence, requests, stoppedBefore } = report;
      const refused = refusedIn(capsule);
      if (stoppedBefore === undefined)
        terminal.document({ ...report, ...(refused.length > 0 && { refused }) });
      if (divergence) terminal.print(...linesOf(divergence));
      if (stoppedBefore !== undefined) return await goOn(replay.sim, invocation, terminal);
      if (typeof until === "string" && !divergence)
        throw new CommandError(
          { code: "NO_SUCH_REQUEST", exitCode: EXIT.notDone },
          `the capsule has no request ${until}`,
          [`service-sim replay ${file}`],
        );
      if (!divergence) terminal.print(`${counted(requests, "request")} repeated, no difference`);
      if (!divergence && refused.length > 0) tellRefused(file, refused, terminal);
      return divergence ? EXIT.notDone : EXIT.done;
    } finally {
      await replay.sim.close();
    }
  },
};

/** Most refused calls that are shown. */
const MOST_REFUSED = 5;

/** The newest calls of a capsule that were refused, which a failed test may be about. */
const refusedIn = ({ lines }: Capsule): RefusedCall[] =>
  lines
    .filter((line): line is RequestLine => "reply" in line && line.reply.status >= 400)
    .slice(-MOST_REFUSED)
    .map((line) => skippedCall(line, { status: line.reply.status, text: line.reply.body }));

const tellRefused = (file: string, refused: readonly RefusedCall[], terminal: Terminal) => {
  terminal.print("refused, as in the recorded run:");
  for (const call of refused) terminal.print(...refusedRows(call).map((row) => `  ${row}`));
  const { requestId } = refused.at(-1) as RefusedCall;
  terminal.next(`service-sim replay ${quoted(file)} --until ${requestId}`);
};

const cutOff = (file: string, cutAfter: number) =>
  new CommandError(
    { code: "CAPSULE_CUT_OFF", exitCode: EXIT.notDone, details: { line: cutAfter } },
    `the capsule ${file} is cut off after line ${cutAfter}: later calls are missing`,
    [`service-sim replay --partial ${quoted(file)}    repeats what it has`],
  );

const linesOf = ({ where, recorded, found, request, asks, instant, overlaps }: Divergence) => [
  `first difference: ${where}`,
  ...(request === undefined ? [] : [`  at        ${request}, ${asks}`]),
  ...(instant === undefined ? [] : [`  instant   ${instant}`]),
  `  recorded  ${recorded}`,
  `  found     ${found}`,
  ...(overlaps ? ["  other requests ran at the same time: their order may differ"] : []),
];

/** Serves the world as it stands, until it is told to stop. */
const goOn = async (sim: LocalSimulator, invocation: Invocation, terminal: Terminal) => {
  const where = { host: "127.0.0.1", ...wantedPorts(invocation) };
  const { url } = await sim.listen(where).catch(async (error) => {
    throw await portFailure(error, where);
  });
  const { apiUrl, controlUrl, clientId, clientSecret } = sim;
  const ready = { event: "ready", apiUrl, controlUrl, port: Number(new URL(url).port) };
  terminal.document({ ...ready, pid: process.pid, clientId, clientSecret });
  terminal.print(
    `ready at ${url}`,
    `  API       ${apiUrl}`,
    `  user      ${clientId}:${clientSecret}`,
    `  commands  add --url ${url}`,
  );
  await new Promise<void>((stop) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop());
  });
  return EXIT.done;
};

import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CoverageReport } from "../../contract/control/coverage.ts";
import { refusedRows } from "../../contract/control/refused-rows.ts";
import { coverageDirectory } from "../../coverage/coverage-file.ts";
import { coverageSummary, isAnythingMet } from "../../coverage/coverage-text.ts";
import { EXEC_FLAGS } from "../../options/start-options.ts";
import { createSimulator, type LocalSimulator } from "../../simulator.ts";
import { counted } from "../../text/layout.ts";
import { type Command, type Invocation, usageError } from "../frame/command.ts";
import { simulatorOptions, startFailure } from "../frame/simulator-options.ts";
import { KeptCapsule, type Recording, recording } from "../tasks/capsule-file.ts";
import { annotationsBelow, JUNIT_OPTION, reported, type TellCases } from "../tasks/ci-report.ts";
import { fileSink } from "../tasks/file-sink.ts";
import { childEnvironment, runChild } from "../tasks/run-child.ts";
import { quoted } from "../text/called-as.ts";
import type { CheckedCase } from "../text/junit.ts";
import type { Terminal } from "../text/terminal.ts";

export const command: Command = {
  name: "exec",
  summary: "run a command with its own simulator, in memory and on a free port",
  operands: "<command...>",
  options: [...EXEC_FLAGS, JUNIT_OPTION],
  notes: [
    "If the command fails after a call, its run is saved as a capsule for service-sim replay.",
  ],
  examples: [
    "service-sim exec -- npm test",
    "service-sim exec --clock manual -- ./e2e.sh",
    "service-sim exec --junit junit.xml -- npm test",
    "service-sim exec --capsule run.capsule -- npm test",
  ],
  passesThrough: true,
  run: (invocation, terminal) =>
    reported("exec", { invocation, terminal }, (tell) => execute(invocation, { terminal, tell })),
};

const execute = async (
  invocation: Invocation,
  { terminal, tell }: { terminal: Terminal; tell: TellCases },
): Promise<number> => {
  const [program, ...args] = invocation.args;
  if (program === undefined)
    throw usageError(
      "say which command to run, for example: exec -- npm test",
      "service-sim exec -- npm test",
    );
  const startOptions = simulatorOptions(invocation, { storage: "memory:", worlds: "open" });
  const onAlarm = (message: string) => terminal.activity(`error  ${message}`);
  const { capsule, withSecrets } = invocation.options;
  const file = typeof capsule === "string" ? capsule : undefined;
  const kept = new KeptCapsule();
  const sink = file === undefined ? kept : fileSink(file);
  const failed = (error: unknown) => {
    throw startFailure(error);
  };
  const { options, recorder } = await recording(
    { ...startOptions, onAlarm },
    { sink, withSecrets: withSecrets === true },
  ).catch(failed);
  const sim = await createSimulator(options).catch(failed);
  recorder.opened(sim);
  const { url } = await sim.listen({ port: 0 });
  const below = annotationsBelow();
  let code = 0;
  let requests = 0;
  let isAnnotated = false;
  try {
    const { otpSignerPublicKey } = (await sim.status()).settings;
    const place = { ...urlsOf(sim), url, otpSignerPublicKey };
    const env = { ...childEnvironment(place), ...below.variables };
    code = await runChild(program, args, env);
    requests = recorder.requests;
    recorder.close();
    await tellCoverage(sim, terminal);
  } finally {
    await sim.close();
    sink.close();
    isAnnotated = below.end();
  }
  const { refusedCount } = recorder;
  // GitHub itself says that a step has failed; the command may have said why.
  tell([caseOf(invocation.args, code, recorder)], { annotate: refusedCount > 0 && !isAnnotated });
  if (code !== 0 && (requests > 0 || file !== undefined))
    tellCapsule(file ?? keepIn(kept), { isWhole: file !== undefined || kept.isWhole }, terminal);
  return code;
};

/** The command's outcome as CI shows it, with the calls that were refused. */
const caseOf = (
  words: readonly string[],
  code: number,
  { refused, refusedCount }: Recording["recorder"],
): CheckedCase => {
  const earlier = refusedCount - refused.length;
  const heading = `${counted(refusedCount, "call")} refused`;
  return {
    name: words.join(" "),
    group: "exec",
    outcome: code === 0 ? "passed" : "failed",
    says: `ended with exit code ${code}`,
    lines: [
      earlier > 0 ? `${heading}, the last ${refused.length}:` : heading,
      ...refused.flatMap(refusedRows),
    ],
  };
};

/** Keeps the run of a command that failed where no project is littered. */
const keepIn = (kept: KeptCapsule) => {
  const file = join(tmpdir(), `service-sim-${process.pid}.capsule`);
  kept.saveTo(file);
  return file;
};

const tellCapsule = (file: string, { isWhole }: { isWhole: boolean }, terminal: Terminal) => {
  if (!isWhole) terminal.note("the run is over 64 MiB: the capsule holds only its beginning");
  const partial = isWhole ? "" : "--partial ";
  terminal.note(`service-sim replay ${partial}${quoted(file)}    repeats this run`);
};

/** Says in a line what the command has met, unless it called nothing. */
const tellCoverage = async (sim: LocalSimulator, terminal: Terminal) => {
  if (terminal.quiet) return;
  const headers = { authorization: `Bearer ${sim.controlToken}` };
  const response = await sim.fetch(new Request(`${sim.controlUrl}/coverage?of=all`, { headers }));
  const report: CoverageReport = await response.json();
  if (!isAnythingMet(report)) return;
  terminal.note(coverageSummary(report));
  const directory = coverageDirectory();
  if (directory !== undefined) terminal.next(`service-sim coverage --dir ${quoted(directory)}`);
};

const urlsOf = (sim: LocalSimulator) => {
  const { apiUrl, controlUrl, clientId, clientSecret, webhookPublicKey } = sim;
  const { brand } = sim.status().settings;
  return { apiUrl, controlUrl, clientId, clientSecret, webhookPublicKey, brand };
};

import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CoverageReport } from "../../contract/control/coverage.ts";
import { coverageDirectory } from "../../coverage/coverage-file.ts";
import { coverageSummary, isAnythingMet } from "../../coverage/coverage-text.ts";
import { EXEC_FLAGS } from "../../options/start-options.ts";
import { createSimulator, type LocalSimulator } from "../../simulator.ts";
import { type Command, usageError } from "../frame/command.ts";
import { simulatorOptions, startFailure } from "../frame/simulator-options.ts";
import { KeptCapsule, recording } from "../tasks/capsule-file.ts";
import { fileSink } from "../tasks/file-sink.ts";
import { childEnvironment, runChild } from "../tasks/run-child.ts";
import { quoted } from "../text/called-as.ts";
import type { Terminal } from "../text/terminal.ts";

export const command: Command = {
  name: "exec",
  summary: "run a command with its own simulator, in memory and on a free port",
  operands: "<command...>",
  options: EXEC_FLAGS,
  notes: [
    "If the command fails after a call, its run is saved as a capsule for service-sim replay.",
  ],
  examples: [
    "service-sim exec -- npm test",
    "service-sim exec --clock manual -- ./e2e.sh",
    "service-sim exec --capsule run.capsule -- npm test",
  ],
  passesThrough: true,
  run: async (invocation, terminal) => {
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
    let code = 0;
    let requests = 0;
    try {
      code = await runChild(program, args, childEnvironment({ ...urlsOf(sim), url }));
      requests = recorder.requests;
      recorder.close();
      await tellCoverage(sim, terminal);
    } finally {
      await sim.close();
      sink.close();
    }
    if (code !== 0 && (requests > 0 || file !== undefined))
      tellCapsule(file ?? keepIn(kept), { isWhole: file !== undefined || kept.isWhole }, terminal);
    return code;
  },
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
  terminal.note(`repeat this run with: service-sim replay ${partial}${quoted(file)}`);
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

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import {
  type Ended,
  type Given,
  plainEnvironment,
  RunningCli,
  readyOf,
  Workplace,
} from "../../setup/cli.ts";
import { goHome, runInProcess, startInProcess, staysElsewhere } from "./in-process.ts";

const ended = (printed: Omit<Ended, "signal">): Ended => ({ ...printed, signal: null });

/** They start this program again, or hand its streams to another one. */
const needsProcess = (args: readonly string[]) =>
  args.includes("--detach") ||
  (args[0] === "exec" && (!args.includes("--") || process.platform === "win32"));

/**
 * A workplace whose `run` and `start` run the command line in this process: for tests of what a
 * command says and does. What waits, reads stdin or meets a signal has a process: `command` and
 * `startProcess`.
 */
export class Workbench extends Workplace {
  private readonly open: RunningCli[] = [];

  private surroundings({ folder = ".", env }: Given) {
    mkdirSync(this.file(folder), { recursive: true });
    return { folder: this.file(folder), env: { ...plainEnvironment(), ...env } };
  }

  override async run(words: string | readonly string[], given: Given = {}): Promise<Ended> {
    const args = typeof words === "string" ? words.split(" ").filter(Boolean) : words;
    if (needsProcess(args)) return super.run(args, given);
    const isExec = args[0] === "exec";
    return isExec
      ? this.exec(args, given)
      : ended(await runInProcess(args, this.surroundings(given)));
  }

  /** `exec` in this process; files take what its command prints, which would go to our streams. */
  private async exec(args: readonly string[], given: Given): Promise<Ended> {
    const [stdout, stderr] = [this.file("..", "stdout"), this.file("..", "stderr")];
    const at = args.indexOf("--") + 1;
    const told = `exec "$0" "$@" >"${stdout}" 2>"${stderr}"`;
    const words = [...args.slice(0, at), "sh", "-c", told, ...args.slice(at)];
    for (const file of [stdout, stderr]) writeFileSync(file, "");
    const own = await runInProcess(words, this.surroundings(given));
    return {
      ...ended(own),
      stdout: readFileSync(stdout, "utf8") + own.stdout,
      stderr: readFileSync(stderr, "utf8") + own.stderr,
    };
  }

  override async start(options = "", given: Given = {}): Promise<RunningCli> {
    const surroundings = this.surroundings(given);
    if (staysElsewhere(surroundings.folder)) return super.start(options, given);
    const args = `start --port 0 --json ${options}`.split(" ").filter(Boolean);
    const { firstLine, printed, stop } = await startInProcess(args, surroundings);
    const simulator = new RunningCli(
      {
        pid: process.pid,
        errors: printed.stderr,
        kill: async (signal: NodeJS.Signals = "SIGTERM") => {
          if (signal === "SIGKILL") throw new Error("Expected a process to kill: startProcess");
          return ended(await stop());
        },
      },
      readyOf(firstLine, printed),
    );
    this.open.push(simulator);
    return simulator;
  }

  override async close() {
    for (const simulator of this.open) await simulator.stop();
    goHome();
    await super.close();
  }
}

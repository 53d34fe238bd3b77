import { type ChildProcess, spawn } from "node:child_process";
import { basename } from "node:path";
import { within } from "./deadline.ts";

const LINE_LIMIT_MS = 10_000;
const ENDING_LIMIT_MS = 5000;

/** Surroundings of a process. */
export interface Place {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** The Node.js of this process by default. */
  program?: string;
}

/** A process of the bench, read by its output and ended by its own handle. */
export class Child {
  readonly name: string;
  private readonly process: ChildProcess;
  private readonly exited: Promise<number | null>;
  private readonly closed: Promise<void>;
  private readonly line: Promise<string>;
  private output = "";
  private errors = "";

  constructor(args: readonly string[], { program = process.execPath, ...place }: Place) {
    this.name = `${basename(program)} ${args.join(" ")}`.slice(0, 120);
    const child = spawn(program, args, { ...place, stdio: ["ignore", "pipe", "pipe"] });
    this.process = child;
    this.exited = new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", resolve);
    });
    this.closed = new Promise((resolve) => child.once("close", () => resolve()));
    this.line = new Promise((resolve) => {
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        this.output += text;
        if (this.output.includes("\n")) resolve(this.output.slice(0, this.output.indexOf("\n")));
      });
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.errors += text;
    });
  }

  get pid(): number {
    const { pid } = this.process;
    if (pid === undefined) throw new Error(`Expected ${this.name} to start but found no process`);
    return pid;
  }

  /** The first line on stdout. */
  firstLine(): Promise<string> {
    const early = this.exited.then((code) => Promise.reject(this.failure(`exit code ${code}`)));
    const line = Promise.race([this.line, early]);
    return within(LINE_LIMIT_MS, `a line of ${this.name}`, line);
  }

  /**
   * Resolves when the process has ended with exit code 0.
   * @throws when its exit code is not 0, or the limit is over
   */
  async success(limitMs: number): Promise<void> {
    const code = await within(limitMs, `the end of ${this.name}`, this.exited);
    if (code !== 0) throw this.failure(`exit code ${code}`);
  }

  /** Everything on stdout, after it ended with exit code 0. */
  async text(limitMs: number): Promise<string> {
    await this.success(limitMs);
    await within(limitMs, `the output of ${this.name}`, this.closed);
    return this.output;
  }

  /** Ends it: asks first, then kills it. */
  async end(): Promise<void> {
    if (!this.isRunning()) return;
    this.process.kill("SIGTERM");
    try {
      await within(ENDING_LIMIT_MS, `the end of ${this.name}`, this.exited);
    } catch {
      this.kill();
    }
  }

  /** Kills it. */
  kill() {
    if (this.isRunning()) this.process.kill("SIGKILL");
  }

  private isRunning() {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  private failure(found: string) {
    const said = /^\S*Error.*/m.exec(this.errors)?.[0] ?? this.errors.trim();
    return new Error(`Expected ${this.name} to work but found ${found}: ${said}`);
  }
}

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Parsed } from "./test-simulator.ts";

/** The command line as it is installed; `test/setup/build.ts` keeps it fresh. */
export const SERVICE_SIM = fileURLToPath(new URL("../../bin/service-sim.js", import.meta.url));

/** Exit code and output of a process. */
export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

const NOT_INHERITED = /^(SERVICE_SIM_|npm_|NO_COLOR$|FORCE_COLOR$|VITEST|NODE_ENV$|GITHUB_)/;

/** Compiled code is kept from test to test, beside the build rather than in the user's folder. */
const CACHE_HOME = fileURLToPath(new URL("../../.cache/", import.meta.url));

/** This process's environment without variables that change the command line's behavior. */
export const plainEnvironment = () => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !NOT_INHERITED.test(name))),
  XDG_CACHE_HOME: CACHE_HOME,
});

const POLL_MS = 20;
const LONGEST_WAIT_MS = 90_000;

/** Waits, at most 90 seconds, until a condition outside this process holds. */
export const waitUntil = async (what: string, holds: () => boolean | Promise<boolean>) => {
  const deadlineMs = performance.now() + LONGEST_WAIT_MS;
  while (performance.now() < deadlineMs) {
    if (await holds()) return;
    await pause(POLL_MS);
  }
  throw new Error(`Expected ${what} but it did not come in ${LONGEST_WAIT_MS} ms`);
};

/** A process that a test started; its output is kept. */
export class Started {
  readonly ended: Promise<Ended>;
  private readonly child: ChildProcess;
  private stdout = "";
  private stderr = "";
  private isOver = false;

  constructor(command: readonly string[], options: { cwd: string; env: NodeJS.ProcessEnv }) {
    const [program = "", ...args] = command;
    this.child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    this.child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.stdout += text;
    });
    this.child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
    this.ended = new Promise((resolve, reject) => {
      this.child.on("error", reject);
      this.child.on("close", (code, signal) => {
        this.isOver = true;
        resolve({ code, signal, stdout: this.stdout, stderr: this.stderr });
      });
    });
  }

  get pid() {
    return this.child.pid as number;
  }

  /** Its output on stderr so far. */
  get errors() {
    return this.stderr;
  }

  /** Waits for a text on stdout. */
  printed(text: string) {
    return waitUntil(`"${text}" on stdout`, () => this.isOver || this.stdout.includes(text));
  }

  /** The first whole line on stdout; undefined when it ended without one. */
  async firstLine(): Promise<string | undefined> {
    await waitUntil("a line on stdout", () => this.isOver || this.stdout.includes("\n"));
    return this.stdout.includes("\n") ? this.stdout.split("\n")[0] : undefined;
  }

  /** Closes the pipe of its stdout. */
  stopReading() {
    this.child.stdout?.destroy();
  }

  kill(signal: NodeJS.Signals = "SIGTERM"): Promise<Ended> {
    if (!this.isOver) this.child.kill(signal);
    return this.ended;
  }
}

/** The line a started simulator prints first, with `--json`. */
export interface Ready {
  event: "ready";
  apiUrl: string;
  controlUrl: string;
  port: number;
  pid: number;
  clientId: string;
  clientSecret: string;
}

export interface HttpAnswer {
  status: number;
  body: Parsed;
}

/** Reads the ready line of a start; throws what it printed when there is none. */
export const readyOf = (line: string | undefined, { stderr }: { stderr: string }): Ready => {
  const ready = line === undefined ? undefined : JSON.parse(line);
  if (ready?.event !== "ready") throw new Error(`Expected a ready line but found ${stderr}`);
  return ready;
};

/** Calls below one URL, with the same headers each time. */
const callerOf =
  (base: string, authorization?: string) =>
  async (method: string, path: string, body?: object): Promise<HttpAnswer> => {
    const response = await fetch(base + path, {
      method,
      headers: {
        // The simulator may close a kept connection just as it is used again.
        connection: "close",
        ...(authorization !== undefined && { authorization }),
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    return { status: response.status, body: isJson ? JSON.parse(text) : text };
  };

/** Runs until it is told to stop: a process, or a command in this one. */
export type Stoppable = Pick<Started, "pid" | "errors" | "kill">;

/** `service-sim start`, ready to be called. */
export class RunningCli<By extends Stoppable = Stoppable> {
  readonly ready: Ready;
  readonly started: By;
  /** Calls the platform with the credentials of the ready line. */
  readonly call: ReturnType<typeof callerOf>;
  /** Calls the control surface. */
  readonly control: ReturnType<typeof callerOf>;

  constructor(started: By, ready: Ready) {
    this.started = started;
    this.ready = ready;
    const { apiUrl, controlUrl, clientId, clientSecret } = ready;
    this.call = callerOf(apiUrl, `Basic ${btoa(`${clientId}:${clientSecret}`)}`);
    this.control = callerOf(controlUrl);
  }

  /** Stops it cleanly, or by a signal; resolves when it is gone. */
  stop(signal: NodeJS.Signals = "SIGTERM"): Promise<Ended> {
    return this.started.kill(signal);
  }
}

/** Options of a command beside its arguments. */
export interface Given {
  env?: Record<string, string>;
  /** A folder below the test's own to run in. */
  folder?: string;
}

/** An empty folder in which a test runs commands; closing removes it. */
export class Workplace {
  private readonly root = mkdtempSync(join(tmpdir(), "service-sim-cli-"));
  readonly path = join(this.root, "work");
  private readonly started: Started[] = [];

  constructor() {
    mkdirSync(this.path);
  }

  file(...names: string[]) {
    return join(this.path, ...names);
  }

  readJson(...names: string[]): Parsed {
    return JSON.parse(readFileSync(this.file(...names), "utf8"));
  }

  /** Starts any program. */
  spawn(command: readonly string[], { env, folder = "." }: Given = {}): Started {
    const cwd = this.file(folder);
    mkdirSync(cwd, { recursive: true });
    const started = new Started(command, { cwd, env: { ...plainEnvironment(), ...env } });
    this.started.push(started);
    return started;
  }

  /** Starts `service-sim` with words, or with arguments that hold spaces. */
  command(words: string | readonly string[], given: Given = {}): Started {
    const args = typeof words === "string" ? words.split(" ").filter(Boolean) : words;
    const { link, env } = this.installed(given);
    return this.spawn([process.execPath, link, ...args], { ...given, env });
  }

  /** Runs `service-sim` to its end. */
  run(words: string | readonly string[], given?: Given): Promise<Ended> {
    return this.command(words, given).ended;
  }

  /** Runs a line of shell to its end; `service-sim` in it is the built one. */
  shell(line: string, given: Given = {}): Promise<Ended> {
    const { env } = this.installed(given);
    return this.spawn(["sh", "-c", line], { ...given, env }).ended;
  }

  /** The built program as a global install leaves it: a link in a folder of `PATH`. */
  private installed({ env }: Given) {
    const bin = join(this.root, "bin");
    const link = join(bin, "service-sim");
    if (!existsSync(bin)) {
      mkdirSync(bin);
      symlinkSync(SERVICE_SIM, link);
    }
    return { link, env: { PATH: `${bin}${delimiter}${process.env.PATH}`, ...env } };
  }

  /** Starts a simulator on a free port, in a process, and waits for its ready line. */
  async startProcess(options = "", given?: Given): Promise<RunningCli<Started>> {
    const started = this.command(`start --port 0 --json ${options}`, given);
    const line = await started.firstLine();
    return new RunningCli(
      started,
      readyOf(line, line === undefined ? await started.ended : { stderr: started.errors }),
    );
  }

  /** Starts a simulator as most tests want it: here in a process. */
  start(options = "", given?: Given): Promise<RunningCli> {
    return this.startProcess(options, given);
  }

  /** Ends every process that was started here and still runs, and removes the files. */
  async close() {
    await Promise.all(this.started.map((one) => one.kill("SIGKILL").catch(() => {})));
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The output of a command with `--json`: one document on one line, and nothing else on stdout. */
export const documentOf = ({ stdout }: Ended): Parsed => {
  const lines = stdout.split("\n");
  if (lines.length !== 2 || lines[1] !== "")
    throw new Error(`Expected one line on stdout but found ${JSON.stringify(stdout)}`);
  return JSON.parse(lines[0] as string);
};

import { mkdirSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { plainEnvironment, type Ready, readyOf, SERVICE_SIM, Started } from "../../setup/cli.ts";
import { LinkRelay } from "./link-relay.ts";

/** Starts that a supervisor tries while the database is away. */
const MOST_STARTS = 60;
const AGAIN_AFTER_MS = 250;
const LONGEST_STOP_MS = 20_000;

/** Options that every process of a round has. */
export interface ProcessOptions {
  /** The URL of the database behind a port. */
  storage(port: number): string;
  databasePort: number;
  folder: string;
  options: readonly string[];
}

/** One `service-sim start` of the campaign, behind a link to the database of its own. */
export class SimProcess {
  readonly number: number;
  readonly link: LinkRelay;
  private readonly options: ProcessOptions;
  private started: Started | undefined;
  ready: Ready | undefined;
  /** Ends that nobody asked for. */
  readonly ownEnds: string[] = [];
  private isStopping = false;

  /** Leaves no process behind when the campaign is interrupted. */
  private readonly atExit = () => {
    if (this.isRunning && this.started) process.kill(this.started.pid, "SIGKILL");
  };
  private isRunning = false;

  private constructor(number: number, link: LinkRelay, options: ProcessOptions) {
    this.number = number;
    this.link = link;
    this.options = options;
    mkdirSync(options.folder, { recursive: true });
    process.once("exit", this.atExit);
  }

  static async begin(number: number, options: ProcessOptions): Promise<SimProcess> {
    const link = await LinkRelay.start(options.databasePort);
    return new SimProcess(number, link, options);
  }

  /** Starts it, again and again where the database refuses it for now. */
  async start(): Promise<void> {
    const { storage, folder, options } = this.options;
    this.isStopping = false;
    let refused = "";
    for (let attempt = 0; attempt < MOST_STARTS; attempt += 1) {
      const started = new Started(
        [
          ...[process.execPath, SERVICE_SIM, "start", "--storage", storage(this.link.port)],
          ...["--port", "0", "--json", ...options],
        ],
        { cwd: folder, env: plainEnvironment() },
      );
      this.started = started;
      this.isRunning = true;
      void started.ended.then(() => {
        if (this.started === started) this.isRunning = false;
      });
      const line = await started.firstLine();
      if (line?.includes('"ready"')) {
        this.ready = readyOf(line, { stderr: started.errors });
        void started.ended.then((ended) => this.noteEnd(started, ended));
        return;
      }
      if (this.isStopping) return;
      refused = (await started.ended).stderr;
      await pause(AGAIN_AFTER_MS);
    }
    throw new Error(`Expected process ${this.number} to start but found ${refused}`);
  }

  private noteEnd(started: Started, { code, signal, stderr }: Awaited<Started["ended"]>) {
    if (this.isStopping || this.started !== started) return;
    this.ready = undefined;
    this.ownEnds.push(`process ${this.number} ended by itself, ${code ?? signal}: ${stderr}`);
  }

  /** Ends it as a power cut would. */
  async kill(): Promise<void> {
    this.isStopping = true;
    this.ready = undefined;
    await this.started?.kill("SIGKILL");
  }

  /** Ends it as an operator would. @returns what is wrong with its end */
  async stop(): Promise<string | undefined> {
    const { started } = this;
    if (!started || this.isStopping) return undefined;
    this.isStopping = true;
    this.ready = undefined;
    const late = pause(LONGEST_STOP_MS).then(() => undefined);
    const ended = await Promise.race([started.kill("SIGTERM"), late]);
    if (ended?.code === 0) return undefined;
    await started.kill("SIGKILL");
    const how = ended ? `with ${ended.code}: ${ended.stderr}` : `not within ${LONGEST_STOP_MS} ms`;
    return `process ${this.number} stopped ${how}`;
  }

  /** Halts it, or lets it continue. */
  halt(isHalted: boolean): void {
    if (this.isRunning && this.started)
      process.kill(this.started.pid, isHalted ? "SIGSTOP" : "SIGCONT");
  }

  async close(): Promise<void> {
    await this.kill();
    process.off("exit", this.atExit);
    await this.link.close();
  }
}

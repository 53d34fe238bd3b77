import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInProcess } from "../../cli/setup/in-process.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";

/** Result of handing over a file. */
export interface Outcome {
  /** Exit code of the command, or status of the reply. */
  code: number;
  /** Everything that was printed or replied. */
  says: string;
}

/** A form of its text whose lines are sealed by checksums. */
export type Sealed = "snapshot" | "capsule";

/** A file that a user may hand over, and the way to do it. */
export interface HandedOver {
  name: string;
  good: Buffer;
  /** JSON, or lines of it behind a checksum; other forms are changed by their bytes alone. */
  form?: "json" | Sealed;
  /** Whether a byte order mark and other line ends are read as the text without them. */
  isText: boolean;
  /** Codes that say what came of it: of a file that is taken, and of one that is not. */
  codes: readonly number[];
  take(bytes: Buffer): Promise<Outcome>;
}

/** A simulator, and a folder for files; both are gone in the end. */
export class Counter {
  readonly world: TestSimulator;
  readonly folder: string;
  readonly url: string;

  private constructor(world: TestSimulator, url: string) {
    this.world = world;
    this.url = url;
    this.folder = mkdtempSync(join(tmpdir(), "service-sim-files-"));
  }

  static async open(): Promise<Counter> {
    const world = await startTestSimulator({ worlds: "open", maxWorlds: 10_000 });
    const { url } = await world.sim.listen();
    return new Counter(world, url);
  }

  async close() {
    await this.world.sim.close();
    rmSync(this.folder, { recursive: true });
  }

  write(name: string, bytes: Buffer | string): string {
    const file = join(this.folder, name);
    writeFileSync(file, bytes);
    return file;
  }

  async run(words: readonly string[], folder = this.folder): Promise<Outcome> {
    const { clientId, clientSecret } = this.world.sim;
    const env = {
      PATH: process.env.PATH,
      NO_COLOR: "1",
      HOME: this.folder,
      SERVICE_SIM_CLIENT_ID: clientId,
      SERVICE_SIM_CLIENT_SECRET: clientSecret,
    };
    const { code, stdout, stderr } = await runInProcess(words, { folder, env });
    return { code, says: `${stdout}${stderr}` };
  }

  /** Hands a file to a command. */
  byCommand(name: string, words: (file: string) => readonly string[]) {
    return (bytes: Buffer) => this.run(words(this.write(name, bytes)));
  }

  async send(method: string, path: string, init: RequestInit): Promise<Outcome> {
    const { sim } = this.world;
    const authorization = `Basic ${btoa(`${sim.clientId}:${sim.clientSecret}`)}`;
    const base = path.startsWith("/_sim") ? new URL(sim.apiUrl).origin : sim.apiUrl;
    const headers = { authorization, ...(init.headers as Record<string, string>) };
    const answer = await sim.fetch(new Request(base + path, { ...init, method, headers }));
    return { code: answer.status, says: await answer.text() };
  }
}

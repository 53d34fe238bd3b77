import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Build, copyBuild } from "./build.ts";
import { Child, type Place } from "./child.ts";
import { byLength, type RunLength, type Sizes } from "./run-length.ts";

/** Variables that change how Node.js starts, such as a file of further certificates. */
const NODE_SETTING = /^NODE_/;

/** The environment of the bench without variables that would change the measured programs. */
const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !name.startsWith("SERVICE_SIM_") && !NODE_SETTING.test(name),
    ),
  );

/** Files and processes of a run; both are gone at the end. */
export class Workplace {
  readonly build: Build;
  readonly length: RunLength;
  private readonly root = mkdtempSync(join(tmpdir(), "service-sim-bench-"));
  private readonly children = new Set<Child>();
  private readonly env: NodeJS.ProcessEnv;

  constructor(length: RunLength) {
    this.length = length;
    try {
      this.env = { ...environment(), XDG_CACHE_HOME: this.directory() };
      this.build = copyBuild(this.directory());
    } catch (error) {
      this.clear();
      throw error;
    }
  }

  /** Chooses a number by the length of the run. */
  of(counts: Sizes): number {
    return byLength(this.length, counts);
  }

  /** An empty directory. */
  directory(): string {
    return mkdtempSync(join(this.root, "at-"));
  }

  /** Writes what a process of the bench is asked to do. */
  file(content: object): string {
    const name = join(this.directory(), "asked.json");
    writeFileSync(name, JSON.stringify(content));
    return name;
  }

  /** Variables of this process that a clean Node.js lacks. */
  nodeSettings(): NodeJS.ProcessEnv {
    return Object.fromEntries(
      Object.entries(process.env).filter(([name]) => NODE_SETTING.test(name)),
    );
  }

  /** Starts `node`, or another program, with arguments. */
  start(args: readonly string[], cwd: string, { env, ...by }: Partial<Place> = {}): Child {
    const child = new Child(args, { cwd, env: { ...this.env, ...env }, ...by });
    this.children.add(child);
    return child;
  }

  /** Ends a process that is no longer needed. */
  async end(child: Child): Promise<void> {
    await child.end();
    this.children.delete(child);
  }

  /** Ends everything that still runs. */
  async endAll(): Promise<void> {
    await Promise.all([...this.children].map((child) => this.end(child)));
  }

  /** Ends what still runs and removes the files; synchronous, so that an exit can call it. */
  clear() {
    for (const child of this.children) child.kill();
    this.children.clear();
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Build, copyBuild } from "./build.ts";
import { Child } from "./child.ts";

/**
 * The environment of the bench without what would change the programs it measures. Settings of
 * Node.js itself go too: a certificate file it has to read can triple what an empty program costs.
 */
const environment = (keepNodeSettings: boolean): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !name.startsWith("SERVICE_SIM_") && (keepNodeSettings || !name.startsWith("NODE_")),
    ),
  );

/** Where a run keeps its files, and the processes it started. Nothing of it is left at the end. */
export class Workplace {
  readonly build: Build;
  private readonly root = mkdtempSync(join(tmpdir(), "service-sim-bench-"));
  private readonly children = new Set<Child>();
  private readonly env: NodeJS.ProcessEnv;

  /** Whether figures that take minutes are measured at their full size. */
  readonly isFull: boolean;

  constructor({
    keepNodeSettings,
    isFull = false,
  }: {
    keepNodeSettings: boolean;
    isFull?: boolean;
  }) {
    this.isFull = isFull;
    this.env = environment(keepNodeSettings);
    try {
      this.build = copyBuild(this.directory());
    } catch (error) {
      this.clear();
      throw error;
    }
  }

  /** An empty directory. */
  directory(): string {
    return mkdtempSync(join(this.root, "at-"));
  }

  /** Starts `node` with arguments. */
  start(args: readonly string[], cwd: string): Child {
    const child = new Child(args, { cwd, env: this.env });
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

  /** Ends what still runs and takes the files away; does not wait, so that an exit can do it. */
  clear() {
    for (const child of this.children) child.kill();
    this.children.clear();
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }
}

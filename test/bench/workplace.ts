import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Build, copyBuild } from "./build.ts";
import { Child } from "./child.ts";

/**
 * The environment of the bench without variables that would change the measured programs. Removes
 * settings of Node.js too: an extra certificate file can triple the cost of an empty program.
 */
const environment = (keepNodeSettings: boolean): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !name.startsWith("SERVICE_SIM_") && (keepNodeSettings || !name.startsWith("NODE_")),
    ),
  );

/** Files and processes of a run; both are gone at the end. */
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

  /** Ends what still runs and removes the files; synchronous, so that an exit can call it. */
  clear() {
    for (const child of this.children) child.kill();
    this.children.clear();
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Child } from "./child.ts";

/** Where a run keeps its files, and the processes it started. Nothing of it is left at the end. */
export class Workplace {
  private readonly root = mkdtempSync(join(tmpdir(), "service-sim-bench-"));
  private readonly children = new Set<Child>();

  /** An empty directory. */
  directory(): string {
    return mkdtempSync(join(this.root, "at-"));
  }

  /** Starts `node` with arguments. */
  start(args: readonly string[], cwd: string): Child {
    const child = new Child(args, cwd);
    this.children.add(child);
    return child;
  }

  /** Ends a process that is no longer needed. */
  async end(child: Child): Promise<void> {
    await child.end();
    this.children.delete(child);
  }

  /** Ends what still runs and takes the files away; does not wait, so that an exit can do it. */
  clear() {
    for (const child of this.children) child.kill();
    this.children.clear();
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }
}

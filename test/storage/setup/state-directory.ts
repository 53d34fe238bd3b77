import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeChecked } from "../../../src/storage/format/checked-file.ts";
import { inFirstLine, inFirstWorld } from "./places.ts";

/** A state directory for one test, in the system's temporary directory. */
export class StateDirectory {
  readonly path = mkdtempSync(join(tmpdir(), "service-sim-test-"));

  get url() {
    return `file:${this.path}`;
  }

  get journal() {
    return inFirstLine(this.path, "journal");
  }

  /** A file of the first world. */
  world(...path: string[]) {
    return inFirstWorld(this.path, ...path);
  }

  file(name: string) {
    return join(this.path, name);
  }

  segment(name: string) {
    return join(this.journal, name);
  }

  segments(): string[] {
    return readdirSync(this.journal)
      .filter((name) => /^[0-9]/.test(name))
      .sort();
  }

  /** Makes a state that was stopped cleanly look like one that was killed. */
  asKilled() {
    renameSync(this.segment("end"), this.segment("begun"));
    writeFileSync(this.segment("begun"), encodeChecked("end", { segment: "", seq: 0 }));
  }

  /** Every journal file with its bytes, to detect changes. */
  contents(): [name: string, bytes: string][] {
    return this.segments().map((name) => [name, readFileSync(this.segment(name), "latin1")]);
  }

  write(name: string, bytes: Buffer | string) {
    writeFileSync(this.segment(name), bytes);
  }

  remove() {
    rmSync(this.path, { recursive: true, force: true });
  }
}

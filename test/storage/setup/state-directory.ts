import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeFolders } from "../../../src/machine/make-folders.ts";
import { WorldState } from "../../../src/runtime/world-state.ts";
import { encodeWorld } from "../../../src/storage/file/state/world-files.ts";
import { encodeTimeline } from "../../../src/storage/file/timeline/timeline-file.ts";
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

  /** Makes the folder of a first world that has no change yet. */
  asFirstWorld() {
    if (existsSync(this.world("world.json"))) return;
    makeFolders(this.journal);
    writeFileSync(this.world("world.json"), encodeWorld({ name: "sandbox", order: 1 }));
    const meta = new WorldState().meta();
    const nothing = { meta, clock: undefined, files: [], size: 0, records: 0, documents: [] };
    const line = encodeTimeline({ ...nothing, reach: { seq: 0, atMs: 0 }, order: 0 });
    writeFileSync(inFirstLine(this.path, "line.json"), line);
  }

  write(name: string, bytes: Buffer | string) {
    this.asFirstWorld();
    writeFileSync(this.segment(name), bytes);
  }

  remove() {
    rmSync(this.path, { recursive: true, force: true });
  }
}

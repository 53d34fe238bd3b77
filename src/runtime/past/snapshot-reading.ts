import { hash } from "node:crypto";
import { roomProblem } from "../../domain/state-facts.ts";
import { stateProblem } from "../../domain/state-invariants.ts";
import { withoutMark } from "../../machine/user-text.ts";
import { FORMAT_BEFORE, FORMAT_VERSION } from "../change.ts";
import { balanceKey, WorldState } from "../world-state.ts";
import { FILE_VERSION, type Head } from "./snapshot-file.ts";
import {
  bodyOf,
  damaged,
  type Line,
  lineAs,
  partOf,
  SnapshotFileProblem,
} from "./snapshot-lines.ts";

/** Formats of the state whose records are the same in a file. */
const READ_FORMATS: readonly number[] = [FORMAT_BEFORE, FORMAT_VERSION];

/** Tells another version; one that is not a number is damage, which is told as such. */
const isOther = (version: number, read: readonly number[]) =>
  Number.isFinite(version) && !read.includes(version);

const headOf = (body: Record<string, unknown>): Head => {
  const { snapshot, format, program } = body as Partial<Head>;
  if (isOther(Number(snapshot), [FILE_VERSION]) || isOther(Number(format), READ_FORMATS))
    throw new SnapshotFileProblem(
      `Expected a snapshot of version ${FILE_VERSION}.${FORMAT_VERSION} but found ` +
        `${snapshot}.${format}, written by service-sim ${program}`,
      `version ${snapshot}.${format}`,
    );
  return lineAs<Head>("snapshot", body, 1);
};

/** A state that is being read, in which nothing stands twice. */
class StateRead {
  readonly state = new WorldState();
  private readonly seen = new Set<string>();

  take(line: Line, n: number) {
    const { state } = this;
    if ("k" in line) {
      this.once(`${line.k} ${line.r.id}`, n);
      state.loadRecords(line.k, [line.r] as never);
    } else if ("balances" in line) {
      for (const [account, currency] of line.balances)
        this.once(`the balance of ${balanceKey(account, currency)}`, n);
      state.loadBalances(line.balances);
    } else if ("postings" in line) state.loadPostings(line.postings);
    else state.history.loadLater(() => line.past);
  }

  private once(what: string, n: number) {
    if (this.seen.has(what)) throw damaged(n, `${what} a second time`);
    this.seen.add(what);
  }
}

/**
 * Reads an exported snapshot, all of it before anything is changed. A file whose checksums fit is
 * not believed either: each invariant of the state is checked (spec/snapshots.md#invariants).
 * @throws SnapshotFileProblem for a file that is cut, damaged, wrong or of another version
 */
export const readSnapshotFile = (text: string): { name: string; state: WorldState } => {
  const lines = withoutMark(text).replaceAll("\r\n", "\n").split("\n");
  const tail = lines.pop() ?? "";
  if (lines.length === 0)
    throw new SnapshotFileProblem(
      "Expected an exported snapshot but found another file",
      "another file",
    );
  const bodies = lines.map((line, at) => bodyOf(line, at + 1));
  const [first = {}] = bodies;
  const head = headOf(first);
  const last = bodies.at(-1) ?? {};
  if (!Object.hasOwn(last, "end") || tail !== "")
    throw new SnapshotFileProblem(
      `Expected the end of the snapshot but the file is cut after line ${lines.length}`,
      `the file is cut after line ${lines.length}`,
    );
  const end = lineAs<{ end: number; sha256: string }>("end", last, lines.length);
  const content = `${lines.slice(0, -1).join("\n")}\n`;
  if (end.end !== lines.length - 1 || end.sha256 !== hash("sha256", content, "hex"))
    throw new SnapshotFileProblem(
      `Expected the ${end.end} lines that its end names but found others`,
      "lines that its end does not name",
    );
  const read = new StateRead();
  for (const [at, body] of bodies.slice(1, -1).entries()) read.take(partOf(body, at + 2), at + 2);
  const { state } = read;
  const { world, seed, branch, at: atMs, seq, counter, clock } = head;
  state.loadMeta({ world, seed, branch, atMs, seq, counter, clock });
  const problem = stateProblem(state) ?? roomProblem(state);
  if (problem !== undefined) throw new SnapshotFileProblem(problem, problem);
  return { name: head.name, state };
};

import { hash } from "node:crypto";
import { namedFiles } from "../../domain/customers/document-files.ts";
import { factsProblem } from "../../domain/state-facts.ts";
import { WrongState } from "../../runtime/damage.ts";
import { JournalFailure } from "../../runtime/ports.ts";
import type { WorldState } from "../../runtime/world-state.ts";
import type { HeldWorld, StateImage, StoppedWorld, WorldOwner } from "../port/held-world.ts";
import type { Item } from "../port/items.ts";
import type { ListedWorld, Session } from "../port/session.ts";
import { digestOfState } from "./copy-digest.ts";
import { keptIdentity } from "./identity.ts";
import { FIRST_WORLD } from "./start-state.ts";
import { summaryOf } from "./world-summary.ts";

/** Stands in place of the first world's identity until all is copied: no start continues with it. */
const UNFINISHED = Buffer.from("a copy that is not finished\n");

/** Raised when a place cannot be copied from or to; nothing was changed there. */
export class CopyRefused extends Error {
  override readonly name = "CopyRefused";
  readonly code: "STATE_LOCKED" | "STORE_EMPTY" | "STORE_NOT_EMPTY";

  constructor(code: CopyRefused["code"], message: string) {
    super(message);
    this.code = code;
  }
}

/** Raised when a copy failed and a part of it could not be deleted. */
export class CopyLeft extends Error {
  override readonly name = "CopyLeft";
}

/** Facts of a copy. */
export interface CopiedWorld {
  name: string;
  records: number;
  snapshots: number;
}

/** Digests of a world's states by what they are: `now`, `start`, `snapshot <name>`. */
type Digests = Map<string, string>;

/** Reads the states that a held world keeps, and the digest of each. */
const digestsOf = async (
  held: HeldWorld,
  { from }: Pick<ListedWorld, "from">,
): Promise<{ digests: Digests; state: WorldState; points: number }> => {
  const { state } = await held.read();
  const problem = factsProblem(state);
  if (problem !== undefined) throw new WrongState(held.place, problem);
  const digests: Digests = new Map([["now", digestOfState(state)]]);
  if (from !== undefined) digests.set("start", digestOfState(await held.loadStart()));
  const { kept } = await held.points();
  for (const { name } of kept)
    digests.set(`snapshot ${name}`, digestOfState(await point(held, name)));
  return { digests, state, points: kept.length };
};

const point = async (held: HeldWorld, name: string): Promise<WorldState> => {
  const state = await held.loadPoint(name);
  if (!state)
    throw new JournalFailure(`the snapshot ${name} of ${held.place} was removed meanwhile`);
  return state;
};

/** A real clock with a timer is due at once: whoever takes the world knows when. */
const ownerOf = (state: WorldState): WorldOwner => ({
  failed: () => {},
  alarm: () => {},
  late: () => {},
  dueAtMs: () => (state.clock?.mode === "real" && state.nextTimer() ? 0 : null),
  files: () => namedFiles(state),
});

const imageOf = (state: WorldState, clock = state.clock): StateImage => ({
  state,
  clock,
  isOnTimeline: false,
  reach: { seq: state.seq, atMs: state.atMs },
});

/** An item as it is kept. @throws JournalFailure for one that cannot be read */
const itemOf = async (held: HeldWorld, item: Item): Promise<Buffer | undefined> => {
  const bytes = await held.item(item);
  if (bytes && "found" in bytes)
    throw new JournalFailure(`${held.placeOf(item)} cannot be read: ${bytes.found}`);
  return bytes;
};

/** Refuses a store while another process is part of it. */
const requireAlone = async ({ place, shared }: Session) => {
  const processes = (await shared?.processes()) ?? [];
  const other = processes.find(({ id, leaseLeftMs }) => id !== shared?.process && leaseLeftMs > 0);
  if (other)
    throw new CopyRefused(
      "STATE_LOCKED",
      `${place} is served by a simulator, ${other.id}: stop it, and copy then`,
    );
};

/** Copies all worlds of a store into an empty one (spec/store.md#copying). */
export class StoreCopy {
  private readonly from: Session;
  private readonly to: Session;
  private readonly filesThere = new Set<string>();
  private readonly made: string[] = [];

  constructor(from: Session, to: Session) {
    this.from = from;
    this.to = to;
  }

  /**
   * Copies, then reads the copy and compares it. After a failure the target is empty again.
   * @throws CopyRefused, CopyLeft, ServedElsewhere, damage of the source, failures of either place
   */
  async run(): Promise<CopiedWorld[]> {
    const worlds = await this.requireSource();
    await this.requireTarget();
    try {
      return await this.copyAll(worlds);
    } catch (error) {
      await this.deleteMade(error as Error);
      throw error;
    }
  }

  private async requireSource() {
    const { place } = this.from;
    await requireAlone(this.from);
    const { worlds, damaged } = await this.from.list();
    const [first] = damaged;
    if (first) throw first.damage;
    if (!worlds.some(({ name }) => name === FIRST_WORLD))
      throw new CopyRefused("STORE_EMPTY", `${place} has no worlds`);
    return worlds;
  }

  private async requireTarget() {
    const { place } = this.to;
    await requireAlone(this.to);
    const { worlds, damaged } = await this.to.list();
    if (worlds.length + damaged.length > 0) throw targetTaken(place);
  }

  private async copyAll([first, ...forks]: ListedWorld[]): Promise<CopiedWorld[]> {
    const expected = new Map<string, Digests>();
    const copied: CopiedWorld[] = [];
    let firstHeld: HeldWorld | undefined;
    let finish = async () => {};
    for (const listed of [first, ...forks] as ListedWorld[]) {
      const source = await this.take(this.from, listed.name);
      const { digests, state, points } = await digestsOf(source, listed);
      if (this.from.shared) await source.attach(ownerOf(state));
      try {
        const target: HeldWorld = firstHeld
          ? await this.fork(firstHeld, source, listed)
          : await this.begin(source, state);
        const summary = await this.fill(target, { source, state, summary: listed.summary });
        const end = { seq: state.seq, summary, documents: namedFiles(state) };
        if (firstHeld) await target.release(end);
        else {
          const identity = await itemOf(source, "identity");
          finish = async () => {
            await target.putItem("identity", identity);
            await target.release(end);
          };
        }
        firstHeld ??= target;
        expected.set(listed.name, digests);
        copied.push({ name: listed.name, records: state.recordCount(), snapshots: points });
      } finally {
        await this.giveBack(source, state, listed.summary);
      }
    }
    await this.compare(forks, expected);
    await finish();
    await this.compare([first as ListedWorld], expected);
    return copied;
  }

  private async take(session: Session, name: string): Promise<HeldWorld> {
    const held = await session.take(name);
    if (!held)
      throw new JournalFailure(`the world ${name} of ${session.place} was removed meanwhile`);
    return held;
  }

  /** Gives a world of the source back as it was; a folder has not been touched. */
  private giveBack(source: HeldWorld, state: WorldState, summary: StoppedWorld | undefined) {
    const documents = namedFiles(state);
    const isNoted = this.from.shared !== undefined && summary !== undefined;
    return source.release({ documents, ...(isNoted && { seq: state.seq, summary }) });
  }

  private async begin(source: HeldWorld, state: WorldState): Promise<HeldWorld> {
    const target = await this.to.create(FIRST_WORLD);
    this.made.push(FIRST_WORLD);
    await keptIdentity(source);
    await target.putItem("identity", UNFINISHED);
    await this.putFiles(state);
    await target.switchTo(imageOf(state));
    return target;
  }

  private async fork(first: HeldWorld, source: HeldWorld, { summary: _, ...facts }: ListedWorld) {
    const { name, from, isLate } = facts;
    await keptIdentity(source);
    const identity = (await itemOf(source, "identity")) as Buffer;
    const start = await source.loadStart();
    await this.putFiles(start);
    this.made.push(name);
    const target = await first.fork({
      facts: { name, ...(from !== undefined && { from }), ...(isLate && { isLate }) },
      identity,
      image: imageOf(start),
    });
    const { state } = await source.read();
    await this.putFiles(state);
    await target.switchTo(imageOf(state));
    return target;
  }

  /** Copies what a world has beside its present state. @returns what stands in for it at rest */
  private async fill(
    target: HeldWorld,
    of: { source: HeldWorld; state: WorldState; summary: StoppedWorld | undefined },
  ): Promise<StoppedWorld> {
    const { source, state, summary } = of;
    await target.attach(ownerOf(state));
    for (const item of ["fixture", "requests"] as const) {
      const bytes = await itemOf(source, item);
      if (bytes) await target.putItem(item, bytes);
    }
    const { kept, damaged } = await source.points();
    const [first] = damaged;
    if (first) throw first.damage;
    for (const { name, clock } of kept) {
      const kept = await point(source, name);
      await this.putFiles(kept);
      await target.savePoint(name, imageOf(kept, clock));
    }
    const { clientId } = await keptIdentity(source);
    const atRest = { mode: "real", offsetMs: 0, instantMs: state.atMs } as const;
    const clock = summary?.clock ?? state.clock ?? atRest;
    return summaryOf(state, { clientId, clock });
  }

  /** Copies the files that a state names. */
  private async putFiles(state: WorldState) {
    for (const sha256 of namedFiles(state)) {
      if (this.filesThere.has(sha256)) continue;
      const bytes = await this.from.files.read(sha256);
      if (!bytes || hash("sha256", bytes, "hex") !== sha256)
        throw new JournalFailure(
          `the file ${sha256} of ${this.from.place}, which a document names, is ` +
            (bytes ? "damaged" : "missing"),
        );
      await this.to.files.put(sha256, bytes);
      this.filesThere.add(sha256);
    }
  }

  /** Reads worlds of the copy, and compares them with what was read from the source. */
  private async compare(worlds: readonly ListedWorld[], expected: ReadonlyMap<string, Digests>) {
    for (const listed of worlds) {
      const held = await this.take(this.to, listed.name);
      const { digests, state } = await digestsOf(held, listed);
      await held.attach(ownerOf(state));
      const { clientId } = await keptIdentity(held);
      const clock = listed.summary?.clock ?? state.clock;
      await held.release({
        documents: namedFiles(state),
        seq: state.seq,
        ...(clock && { summary: summaryOf(state, { clientId, clock }) }),
      });
      for (const [what, digest] of expected.get(listed.name) ?? [])
        if (digests.get(what) !== digest)
          throw new JournalFailure(
            `Expected the copy of the world ${listed.name} to equal it but found another state (${what})`,
          );
    }
  }

  private async deleteMade(cause: Error) {
    for (const name of this.made.toReversed())
      try {
        await this.to.remove(name);
      } catch {
        throw new CopyLeft(
          `${cause.message}: an unfinished copy is left in ${this.to.place}, and is not started`,
          { cause },
        );
      }
  }
}

/** The refusal of a target that is not empty. */
export const targetTaken = (place: string) =>
  new CopyRefused(
    "STORE_NOT_EMPTY",
    `${place} has worlds already, of a simulator or of a copy that was not finished: nothing was changed`,
  );

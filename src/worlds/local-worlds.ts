import type { WorldRow } from "../contract/control/worlds.ts";
import type { ShownCredential } from "../http/door/served-world.ts";
import { RunningWorld } from "./running-world.ts";
import { UnloadedWorld } from "./unloaded-world.ts";
import { WorldsOfProcess } from "./worlds.ts";

/** Worlds that this process has alone: it knows each of them, in memory or not. */
export class LocalWorlds extends WorldsOfProcess {
  /** The first call of one loads it. */
  async findKept() {
    const { worlds = [], damaged = [] } = (await this.starting.others?.list()) ?? {};
    for (const { name, damage } of damaged) this.damaged.note(name, damage);
    for (const { name, from, summary, isLate = false } of worlds)
      this.forks.set(name, {
        from,
        isLate,
        place: new UnloadedWorld(name, { facts: summary }),
      });
  }

  loading(
    shown: readonly ShownCredential<RunningWorld>[],
    names: readonly string[],
  ): Promise<void> | undefined {
    const isAsleep = [...this.forks.values()].some(({ place }) => place instanceof UnloadedWorld);
    return isAsleep ? this.loadFor(shown, names) : undefined;
  }

  async list(): Promise<WorldRow[]> {
    await this.loadUnknown();
    return this.rows();
  }

  /** Loads the named worlds that take what is shown, and the maker of each thing shown. */
  private async loadFor(shown: readonly ShownCredential<RunningWorld>[], names: readonly string[]) {
    for (const name of names) {
      const forked = this.forks.get(name);
      const place = forked?.place;
      if (!forked || !(place instanceof UnloadedWorld)) continue;
      if (!place.isKnown || shown.some(({ key }) => place.takes(key)))
        await this.load(name, forked);
    }
    for (const one of shown) if (await this.loadMaker(one)) return;
    await this.loadUnknown();
    for (const one of shown) if (await this.loadMaker(one)) return;
  }

  /** Loads the world that made what is shown; whether there is one. */
  private async loadMaker({
    key,
    isTakenBy,
    isMadeBy,
  }: ShownCredential<RunningWorld>): Promise<boolean> {
    if (isTakenBy(this.starting)) return true;
    for (const [name, forked] of this.forks) {
      const { place } = forked;
      const takes = place instanceof RunningWorld ? isTakenBy(place) : place.takes(key);
      if (!takes) continue;
      // An heir may come before the maker, since folders are read in the order of their names.
      if (isMadeBy(await this.load(name, forked))) return true;
    }
    return false;
  }

  /** Loads the worlds that were killed: only their records tell who calls them. */
  private async loadUnknown() {
    for (const [name, forked] of [...this.forks])
      if (forked.place instanceof UnloadedWorld && !forked.place.isKnown)
        // A damaged one is told by its name, and the others continue.
        await this.load(name, forked).catch(() => {});
  }
}

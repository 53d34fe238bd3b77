import { FIRST_REVISION, REVISIONS, type Revision } from "../contract/core/revision-names.ts";

/** Kinds of items, in the order of the report (spec/coverage.md#groups). */
export const COVERAGE_GROUPS = [
  "operations",
  "statuses",
  "errors",
  "outcomes",
  "webhooks",
  "retries",
  "duplicates",
  "timers",
  "replays",
  "signedRetries",
  "approvals",
] as const;

export type CoverageGroupName = (typeof COVERAGE_GROUPS)[number];

/** In an image: the number of worlds, and of those whose settings rule an item out. */
const WORLDS = "worlds";
const ALL_WORLDS = "all";

/** Members of an image, beside the groups. */
export const COUNTED: readonly string[] = [...COVERAGE_GROUPS, WORLDS];

/** Settings of a world that decide about its items. */
export interface CountedSettings {
  revision?: Revision;
  /** Items that they rule out. */
  unmeetable?: readonly string[];
}

/** Counts as a file and a merge have them: times met, by group and name. */
export type CountImage = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Counts of how often each item was met. Names are stable texts, so that merging is adding. */
export class CoverageCounts {
  private groups: Map<CoverageGroupName, Map<string, number>> | undefined;
  private worlds: Map<string, number> | undefined;
  /** Rises with each change. */
  version = 0;

  /** Counts one item. */
  meet(group: CoverageGroupName, name: string, times = 1) {
    this.groups ??= new Map();
    let names = this.groups.get(group);
    if (!names) {
      names = new Map();
      this.groups.set(group, names);
    }
    names.set(name, (names.get(name) ?? 0) + times);
    this.version += 1;
  }

  /** Times an item was met. */
  timesMet(group: CoverageGroupName, name: string): number {
    return this.groups?.get(group)?.get(name) ?? 0;
  }

  /** Counts a world, its revision where that is a later one, and the items it cannot meet. */
  countWorld({ revision = FIRST_REVISION, unmeetable = [] }: CountedSettings) {
    const later = revision === FIRST_REVISION ? [] : [revision];
    for (const name of [ALL_WORLDS, ...later, ...unmeetable]) this.addWorlds(name, 1);
  }

  /** The latest revision that a counted world served: its items are asked for. */
  get revision(): Revision {
    return REVISIONS.findLast((one) => this.worlds?.has(one)) ?? FIRST_REVISION;
  }

  /** Whether no counted world could meet an item, as `outcomes.walletProof.000000`. */
  isUnmeetable(item: string): boolean {
    const { worlds } = this;
    return worlds?.get(item) !== undefined && worlds.get(item) === worlds.get(ALL_WORLDS);
  }

  /** Adds other counts to these. */
  add(image: CountImage) {
    for (const [name, times] of Object.entries(image[WORLDS] ?? {})) this.addWorlds(name, times);
    for (const group of COVERAGE_GROUPS)
      for (const [name, times] of Object.entries(image[group] ?? {})) this.meet(group, name, times);
  }

  clear() {
    this.groups = undefined;
    this.worlds = undefined;
    this.version += 1;
  }

  /** The counts as plain values. */
  image(): CountImage {
    const groups: [string, Map<string, number>][] = [...(this.groups ?? [])];
    if (this.worlds) groups.push([WORLDS, this.worlds]);
    return Object.fromEntries(groups.map(([group, names]) => [group, Object.fromEntries(names)]));
  }

  private addWorlds(name: string, times: number) {
    this.worlds ??= new Map();
    this.worlds.set(name, (this.worlds.get(name) ?? 0) + times);
  }
}

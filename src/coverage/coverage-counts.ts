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

/** Counts as a file and a merge have them: times met, by group and name. */
export type CountImage = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Counts of how often each item was met. Names are stable texts, so that merging is adding. */
export class CoverageCounts {
  private groups: Map<CoverageGroupName, Map<string, number>> | undefined;
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

  /** Adds other counts to these. */
  add(image: CountImage) {
    for (const group of COVERAGE_GROUPS)
      for (const [name, times] of Object.entries(image[group] ?? {})) this.meet(group, name, times);
  }

  clear() {
    this.groups = undefined;
    this.version += 1;
  }

  /** The counts as plain values. */
  image(): CountImage {
    const groups = [...(this.groups ?? [])];
    return Object.fromEntries(groups.map(([group, names]) => [group, Object.fromEntries(names)]));
  }
}

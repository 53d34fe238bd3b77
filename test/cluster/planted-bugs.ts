// biome-ignore-all lint/suspicious/noTemplateCurlyInString: search texts of source code
import { readFileSync } from "node:fs";

/** The place where a planted bug is found: a test file, and words of the row or case that does. */
interface FoundBy {
  file: string;
  words: string;
}

/** One bug of the campaign's list. */
export interface ClusterBug {
  number: number;
  name: string;
  foundBy: FoundBy;
  /** The change of one source file that plants it, where no row elsewhere does; the case of `foundBy` finds it. */
  patch?: { file: string; search: string; replace: string };
  /** The rule of the checker that a run with the bug breaks. */
  breaks?: string;
}

const ENGINE_PLANTS = "test/storage/engine/engine-plants.ts";
const ENGINE_BUGS = "test/storage/engine/setup/planted-bugs.ts";
const CLUSTER_CASES = "test/cluster/setup/cluster-cases.ts";

/**
 * The bugs that the campaign and the tests beside it have to find, by their number in its design.
 * Most break an engine or its journal, where a case of the contract finds them at once.
 */
export const CLUSTER_BUGS: readonly ClusterBug[] = [
  {
    number: 1,
    name: "append without the fence",
    foundBy: { file: ENGINE_PLANTS, words: "append without the fence" },
  },
  {
    number: 2,
    name: "fence checked in an earlier statement",
    foundBy: { file: ENGINE_PLANTS, words: "fence checked in an earlier statement" },
  },
  {
    number: 3,
    name: "owner not compared",
    foundBy: { file: ENGINE_PLANTS, words: "owner not compared" },
  },
  {
    number: 4,
    name: "expiry by the process's clock",
    foundBy: { file: ENGINE_PLANTS, words: "expiry by the process's clock" },
  },
  {
    number: 5,
    name: "reads past the lease",
    foundBy: { file: ENGINE_BUGS, words: "reads past the lease" },
  },
  {
    number: 6,
    name: "unknown outcome counted as written",
    foundBy: { file: ENGINE_BUGS, words: "an unknown outcome counted as written" },
    breaks: "acknowledged calls are done once",
  },
  {
    number: 7,
    name: "sent again without asking, on an append that ignores the expected seq",
    foundBy: { file: ENGINE_BUGS, words: "an unknown outcome sent again without asking" },
  },
  {
    number: 8,
    name: "reply at send",
    foundBy: { file: ENGINE_BUGS, words: "a reply at send" },
    breaks: "acknowledged calls are done once",
  },
  {
    number: 9,
    name: "the taker reads before its fence rises",
    foundBy: { file: ENGINE_PLANTS, words: "a take reads before its fence rises" },
    breaks: "replies are what the journal has",
  },
  {
    number: 10,
    name: "a POST without a key is repeated",
    foundBy: {
      file: CLUSTER_CASES,
      words: "a POST without a key that may have arrived at a lost owner is not made again",
    },
    patch: {
      file: "worlds/hops.ts",
      search: "if (isOver || (outcome.mayBeDone && !isRepeatable)) throw",
      replace: "if (isOver) throw",
    },
    breaks: "acknowledged calls are done once",
  },
  {
    number: 11,
    name: "the peer listener forwards",
    foundBy: {
      file: CLUSTER_CASES,
      words: "a call that came from another process goes no further: its sender asks the next one",
    },
    patch: {
      file: "worlds/hops.ts",
      search: "if (isHop(request)) return misdirectedReply({ id, ...defined({ peer }) });",
      replace: "",
    },
    breaks: "worlds are away only during faults",
  },
  {
    number: 12,
    name: "prune drops a fork's pin",
    foundBy: { file: ENGINE_PLANTS, words: "a sweep drops a fork's pin" },
  },
  {
    number: 13,
    name: "a fenced owner's checkpoint counts",
    foundBy: { file: ENGINE_PLANTS, words: "write without the fence" },
    breaks: "replies are what the journal has",
  },
  {
    number: 14,
    name: "release before the last flush",
    foundBy: { file: ENGINE_BUGS, words: "a world released before its last flush" },
  },
  {
    number: 15,
    name: "`due` not written",
    foundBy: { file: ENGINE_BUGS, words: "a world whose next timer is not written" },
  },
  {
    number: 16,
    name: "caller index after the append",
    foundBy: { file: ENGINE_PLANTS, words: "caller index after the append" },
  },
  {
    number: 17,
    name: "an upload swept before its commit",
    foundBy: { file: ENGINE_PLANTS, words: "an upload is swept before its commit" },
  },
  {
    number: 18,
    name: "`synchronous_commit` off for the role",
    foundBy: {
      file: CLUSTER_CASES,
      words: "a role that may lose a commit is refused",
    },
    patch: {
      file: "storage/postgres/settings.ts",
      search: 'isBroken: ({ synchronous_commit }) => synchronous_commit === "off",',
      replace: "isBroken: () => false,",
    },
  },
  {
    number: 19,
    name: "half a group left after a kill",
    foundBy: { file: ENGINE_PLANTS, words: "half a group is written" },
  },
];

/** Rows of the table whose place or source text is no longer there, in sentences. */
export const outdated = (bugs: readonly ClusterBug[]): string[] =>
  bugs.flatMap(({ number, foundBy, patch }) => {
    const told: string[] = [];
    if (!readFileSync(foundBy.file, "utf8").includes(foundBy.words))
      told.push(`${number}: ${foundBy.file} does not have "${foundBy.words}"`);
    const parts = patch ? readFileSync(`src/${patch.file}`, "utf8").split(patch.search) : ["", ""];
    if (parts.length !== 2) told.push(`${number}: ${patch?.file} has it ${parts.length - 1} times`);
    return told;
  });

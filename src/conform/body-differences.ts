import type { OutputUnit } from "@cfworker/json-schema";

/** A place where a value differs from its schema. */
export interface BodyDifference {
  /** JSON Pointer into the value; empty for the whole. */
  path: string;
  says: string;
}

/** Differences that count, deepest first, and those that are excused. */
export interface ToldDifferences {
  open: BodyDifference[];
  excused: BodyDifference[];
}

const NOT_DESCRIBED = "The document does not have this member.";

/** Keywords whose own error only says that something below differs. */
const CONTAINERS = new Set(
  ["$ref", "$recursiveRef", "properties", "items", "prefixItems", "allOf", "if", "then"].concat(
    ["else", "additionalProperties", "patternProperties", "anyOf", "oneOf", "dependentSchemas"],
    ["unevaluatedProperties", "unevaluatedItems", "additionalItems", "propertyNames"],
  ),
);

const isUnion = ({ keyword }: OutputUnit) => keyword === "anyOf" || keyword === "oneOf";

/** More than one branch of `oneOf` fits: its own error tells that, not those of other branches. */
const fitsSeveral = ({ error }: OutputUnit) => /\([1-9]\d* matches\)/.test(error);

const differenceOf = ({ keyword, instanceLocation, error }: OutputUnit): BodyDifference => ({
  path: instanceLocation.slice(1),
  says: keyword === "false" ? NOT_DESCRIBED : error,
});

/** A schema of `false` has the value's place where its own belongs: it is that of the error before. */
const placed = (errors: readonly OutputUnit[]) =>
  errors.map((error, at) =>
    error.keyword === "false"
      ? { ...error, keywordLocation: `${errors[at - 1]?.keywordLocation ?? "#"}/false` }
      : error,
  );

/**
 * The errors without those that follow from others: a member whose value differs is told as one that
 * the schema does not have, too.
 */
const withoutFollowing = (errors: readonly OutputUnit[]) => {
  const places = errors
    .filter(({ keyword }) => keyword !== "false" && !CONTAINERS.has(keyword))
    .map(({ instanceLocation }) => `${instanceLocation}/`)
    .sort();
  const isBelow = (place: string) => {
    // The first place in order that is not before it.
    let [from, to] = [0, places.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((places[middle] as string) < place) from = middle + 1;
      else to = middle;
    }
    return places[from]?.startsWith(place) === true;
  };
  return errors.filter(
    ({ keyword, instanceLocation }) => keyword !== "false" || !isBelow(`${instanceLocation}/`),
  );
};

/** Number of errors from a place that belong to the union before it: they follow it at once. */
const lengthOf = (union: OutputUnit, rest: readonly OutputUnit[]) => {
  const at = rest.findIndex(
    (error) =>
      !error.keywordLocation.startsWith(`${union.keywordLocation}/`) ||
      !error.instanceLocation.startsWith(union.instanceLocation),
  );
  return at < 0 ? rest.length : at;
};

class DifferenceLines {
  private readonly isExcused: (difference: BodyDifference) => boolean;

  constructor(isExcused: (difference: BodyDifference) => boolean) {
    this.isExcused = isExcused;
  }

  sorted(errors: readonly OutputUnit[]): ToldDifferences {
    const differences: ToldDifferences = { open: [], excused: [] };
    const add = (error: OutputUnit) => {
      const difference = differenceOf(error);
      differences[this.isExcused(difference) ? "excused" : "open"].push(difference);
    };
    for (let at = 0; at < errors.length; at += 1) {
      const error = errors[at] as OutputUnit;
      if (!isUnion(error)) {
        if (!CONTAINERS.has(error.keyword)) add(error);
        continue;
      }
      const length = lengthOf(error, errors.slice(at + 1));
      const below = errors.slice(at + 1, at + 1 + length);
      if (length === 0 || fitsSeveral(error)) add(error);
      else {
        const { open, excused } = this.ofUnion(error, below);
        differences.open.push(...open);
        differences.excused.push(...excused);
      }
      at += length;
    }
    return differences;
  }

  /** A value of which all that differs from one branch is excused is of that branch. */
  private ofUnion({ keywordLocation }: OutputUnit, below: readonly OutputUnit[]): ToldDifferences {
    const branches = new Map<string, OutputUnit[]>();
    for (const error of below) {
      const [branch = ""] = error.keywordLocation.slice(keywordLocation.length + 1).split("/");
      branches.set(branch, [...(branches.get(branch) ?? []), error]);
    }
    const branchDifferences = [...branches.values()].map((errors) => this.sorted(errors));
    const excused = branchDifferences.find(({ open }) => open.length === 0);
    return excused ?? { open: branchDifferences.flatMap(({ open }) => open), excused: [] };
  }
}

const depthOf = ({ path }: BodyDifference) => path.split("/").length;

/** Sorts what a check has found by whether it is excused, and by its depth. */
export const toldDifferences = (
  errors: readonly OutputUnit[],
  isExcused: (difference: BodyDifference) => boolean,
): ToldDifferences => {
  const { open, excused } = new DifferenceLines(isExcused).sorted(withoutFollowing(placed(errors)));
  return { open: open.sort((one, other) => depthOf(other) - depthOf(one)), excused };
};

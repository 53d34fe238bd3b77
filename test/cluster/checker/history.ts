/** A change as the journal has it, as much of it as the checker reads. */
export interface Step {
  seq: number;
  by: string;
  put?: readonly (readonly [kind: string, record: { id: string }])[];
  del?: readonly (readonly [kind: string, id: string])[];
  post?: readonly (readonly [account: string, currency: string, minor: string])[];
  emit?: readonly { id: string; type: string; body: string; deliverable: boolean }[];
}

/** A world as the store has it at the end. */
export interface KeptWorld {
  name: string;
  /** Changes of its own timeline, in the order in which the store has them. */
  steps: readonly Step[];
  /** The world that it was forked from; its changes come before the first of `steps`. */
  from?: string;
}

/** One call of a client, and its answer. */
export interface Told {
  world: string;
  /** Number of the process that was asked. */
  process: number;
  method: string;
  path: string;
  key?: string;
  /** Number of this attempt with the same key; 1 is the first. */
  attempt: number;
  /** The effect that no other call has, such as `quote:10007`. */
  mark?: string;
  beginMs: number;
  endMs: number;
  /** Missing where no answer came. */
  status?: number;
  seq?: number;
  // biome-ignore lint/suspicious/noExplicitAny: JSON of a reply
  body?: any;
}

/** The number of a world's owner, as it was written. */
export interface FenceRow {
  world: string;
  fence: number;
  /** True where the world was made, perhaps again: a fork without an answer may be taken back. */
  isBorn: boolean;
}

/** A webhook as its receiver got it. */
export interface Delivered {
  id: string;
  body: string;
  isAccepted: boolean;
}

/** A span in which something was wrong on purpose, wall milliseconds. */
export interface Fault {
  what: string;
  beginMs: number;
  endMs: number;
  /** The process that did not answer meanwhile, where it is one alone. */
  process?: number;
}

/** The end of a world, once nothing is wrong any more. */
export interface Rest {
  world: string;
  /** Totals of the ledger as the product shows them. */
  totals: Readonly<Record<string, number>>;
  /** Webhooks that wait. */
  waiting: readonly string[];
  /** The first invariant that its state breaks. */
  problem?: string;
}

/** All that one round of the campaign saw. */
export interface ClusterHistory {
  calls: readonly Told[];
  worlds: readonly KeptWorld[];
  /** Each change of the owner's number, in the order in which the store made them. */
  fences: readonly FenceRow[];
  deliveries: readonly Delivered[];
  faults: readonly Fault[];
  rests: readonly Rest[];
  leaseMs: number;
}

/** All changes that made a world, those before its fork first. */
export const stepsOf = (worlds: readonly KeptWorld[], { steps, from }: KeptWorld): Step[] => {
  const origin = worlds.find(({ name }) => name === from);
  if (!origin) return [...steps];
  const first = steps[0]?.seq ?? Number.POSITIVE_INFINITY;
  return [...stepsOf(worlds, origin).filter(({ seq }) => seq < first), ...steps];
};

/** Values by a key, in their order. */
export const grouped = <Key, Value>(
  values: readonly Value[],
  keyOf: (value: Value) => Key,
): Map<Key, Value[]> => {
  const groups = new Map<Key, Value[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
};

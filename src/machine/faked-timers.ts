import process from "node:process";
import nodeTimers from "node:timers";

/** Functions of time that test tools replace, by name, each as its places have it. */
type TimeFunctions = Readonly<Record<string, readonly unknown[]>>;

/** The tool that faked time, the functions that it faked, and how to undo it. */
export interface Faked {
  by: string;
  names: readonly string[];
  /** The call that brings the real functions back. */
  undo: string;
}

/** Properties that tools leave on the functions they put in place. */
interface Marked {
  name?: unknown;
  clock?: unknown;
  isFake?: unknown;
  isMock?: unknown;
}

const isSinon = ({ clock, isFake }: Marked) => clock !== undefined || isFake === true;

// Node's timers are named after themselves; its mocks are private methods, bound.
const isNodeTest = ({ name, isMock }: Marked) => isMock === true || /^bound #/.test(String(name));

/** A tool that fakes time: jest and vitest build on sinon's, and differ by the global they leave. */
interface Faker {
  by: string;
  undo: string;
  marks(it: Marked): boolean;
  runs?: string | symbol;
}

const FAKERS: readonly Faker[] = [
  { by: "node:test", undo: "mock.timers.reset()", marks: isNodeTest },
  {
    by: "jest",
    undo: "jest.useRealTimers()",
    marks: isSinon,
    runs: Symbol.for("jest-native-now"),
  },
  { by: "vitest", undo: "vi.useRealTimers()", marks: isSinon, runs: "__vitest_worker__" },
  { by: "@sinonjs/fake-timers", undo: "clock.uninstall()", marks: isSinon },
];

const isMarked = (it: unknown, { marks }: Faker) =>
  it !== null && (typeof it === "function" || typeof it === "object") && marks(it);

/** A global as it is now, by its name: the build puts the host's timers in place of the others. */
const globalNow = (name: string): unknown => Reflect.get(globalThis, name);

const foundNow = (): TimeFunctions => ({
  Date: [globalNow("Date")],
  hrtime: [Reflect.get(process, "hrtime")],
  nextTick: [Reflect.get(process, "nextTick")],
  queueMicrotask: [globalNow("queueMicrotask")],
  setTimeout: [globalNow("setTimeout"), nodeTimers.setTimeout],
  setInterval: [globalNow("setInterval"), nodeTimers.setInterval],
  setImmediate: [globalNow("setImmediate"), nodeTimers.setImmediate],
});

/**
 * The tool that has faked time, if one has. Only marks of known tools count: environments such as
 * jsdom wrap these functions as well, and theirs work.
 * @param has whether the process has a global of this name
 */
export const fakedTimers = (
  globals = foundNow(),
  has = (name: string | symbol) => name in globalThis,
): Faked | undefined => {
  for (const faker of FAKERS.filter(({ runs }) => runs === undefined || has(runs))) {
    const isFaked = (name: string) => globals[name]?.some((it) => isMarked(it, faker));
    const names = Object.keys(globals).filter(isFaked);
    if (names.length > 0) return { by: faker.by, names, undo: faker.undo };
  }
  return undefined;
};

/**
 * Raised when faked time keeps the simulator from working (spec/clock.md#faked-timers): by
 * `createSimulator` when it was faked before service-sim was loaded, by `listen` and `fetch` when
 * it is faked for Node.js itself.
 */
export class TimersFaked extends Error {
  override readonly name = "TimersFaked";
  /** The tool that faked them: `vitest`, `jest`, `node:test` or `@sinonjs/fake-timers`. */
  readonly by: string;

  constructor(message: string, { by }: Pick<Faked, "by">) {
    super(message);
    this.by = by;
  }
}

/** The error of a start whose timers were faked before service-sim was loaded. */
export const fakedAtLoad = (faked: Faked) =>
  new TimersFaked(
    `Expected the real timers when service-sim was loaded but found ${faked.names.join(", ")} ` +
      `faked by ${faked.by}. Import service-sim before you fake timers, or call ${faked.undo} ` +
      "before createSimulator",
    faked,
  );

/** Functions of Node.js itself that fakes reach, and what it cannot do without them. */
const NEEDED = { nextTick: "for each connection", queueMicrotask: "to read bodies" } as const;

const functionOf = (name: keyof typeof NEEDED): unknown =>
  name === "nextTick" ? Reflect.get(process, name) : globalNow(name);

const atLoad = { nextTick: functionOf("nextTick"), queueMicrotask: functionOf("queueMicrotask") };
const wasFakedAtLoad = fakedTimers() !== undefined;

/** Tells if a function is the one from before any fake; each attempt and call asks. */
const isReal = (name: keyof typeof NEEDED) => !wasFakedAtLoad && functionOf(name) === atLoad[name];

/**
 * The error for work that Node.js cannot do now, if its own function is faked. Under jest only the
 * tests' copy of it is.
 */
export const nodeFaked = (
  name: keyof typeof NEEDED,
  faked = isReal(name) ? undefined : fakedTimers(),
): TimersFaked | undefined => {
  if (faked?.by === "jest" || !faked?.names.includes(name)) return undefined;
  return new TimersFaked(
    `Expected ${name} to be real, since Node.js needs it ${NEEDED[name]}, but found it faked by ` +
      `${faked.by}. Fake timers with toNotFake: ["nextTick", "queueMicrotask"]`,
    faked,
  );
};

/** Functions that must stay real: neither connections nor the journal can do without. */
export const KEPT_REAL: readonly string[] = ["setImmediate", "nextTick", "queueMicrotask"];

/** Functions to fake beside a world's clock, as vitest takes them. */
export const FAKED_BESIDE = ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"];

/** The other ones, as jest takes them. */
export const NOT_FAKED = [...KEPT_REAL, "clearImmediate", "hrtime", "performance"];

/** A faked timer; `callAt` in epoch milliseconds. */
interface FakedTimer {
  callAt: number;
}

type FakedTimerMap = ReadonlyMap<unknown, FakedTimer>;

/** The clock of faked timers, as `@sinonjs/fake-timers` leaves it on each function it fakes. */
export interface FakedClock {
  /** Epoch milliseconds. */
  now: number;
  /** Pending timers by id: a map since version 15, an object before. */
  timers?: Record<string, FakedTimer> | FakedTimerMap;
}

/** The clock that moves a faked `setTimeout`; none while that is real. */
export const fakedClock = (): FakedClock | undefined => {
  const { clock } = globalNow("setTimeout") as { clock?: FakedClock };
  return clock;
};

/** Instants of the faked timers that are pending, epoch milliseconds. */
export const fakedDueMs = ({ timers = {} }: FakedClock): number[] => {
  // A map of another realm is no instance of ours.
  const isMap = typeof timers.values === "function";
  const pending = isMap ? (timers as FakedTimerMap).values() : Object.values(timers);
  return [...pending].map(({ callAt }: FakedTimer) => callAt);
};

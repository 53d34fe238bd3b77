import {
  type Form,
  ID,
  INSTANT,
  inWords,
  isObject,
  NAME,
  options,
  requireForm,
  span,
  thing,
  word,
} from "./argument-forms.ts";

/** An argument of a member: its name, its form, and whether it may be left out. */
interface Argument {
  name: string;
  form: Form;
  isOptional?: true;
}

const must = (name: string, form: Form): Argument => ({ name, form });
const may = (name: string, form: Form): Argument => ({ name, form, isOptional: true });

const AHEAD = span('time only goes forward here, so write sim.rewind("5m") to go back');
const BACK = span("a rewind goes back by itself, so write it without the sign");
const LATER = span("a timer can only be postponed, so write it without the sign");

const PAGE = { limit: "number", cursor: "text" } as const;

const WANTED = options(
  { type: "text", about: "text", count: "number", timeoutMs: "number" },
  '{ type: "OUTGOING_PAYMENT.COMPLETED" }',
);

const MATCH = ["operation", "path", "nth", "times", "probability", "from", "until", "for"];

const written = (value: unknown): string =>
  isObject(value)
    ? `{ ${Object.entries(value)
        .map(([name, member]) => `${name}: ${written(member)}`)
        .join(", ")} }`
    : String(JSON.stringify(value));

/** The parts of a fault that was written flat, each where it belongs. */
const faultInParts = (flat: Readonly<Record<string, unknown>>) => {
  const { match, fault, ...others } = flat;
  const entries = Object.entries(others);
  const isMatch = ([name]: [string, unknown]) => MATCH.includes(name);
  const inMatch = { ...(isObject(match) && match), ...Object.fromEntries(entries.filter(isMatch)) };
  const effects = entries.filter((entry) => !isMatch(entry));
  const inFault = { ...(isObject(fault) && fault), ...Object.fromEntries(effects) };
  return written({
    ...(Object.keys(inMatch).length > 0 && { match: inMatch }),
    fault: Object.keys(inFault).length > 0 ? inFault : { status: 500 },
  });
};

const FAULT: Form = {
  says: "an object with match and fault",
  mistakeIn: (value) => {
    const write = `write ${faultInParts(isObject(value) ? value : {})}`;
    if (!isObject(value)) return { what: inWords(value), write };
    const others = Object.keys(value).filter((name) => name !== "match" && name !== "fault");
    if (others.length > 0) return { what: `${others.join(", ")} beside them`, write };
    return isObject(value.fault) ? undefined : { what: `${inWords(value.fault)} in fault`, write };
  },
};

const POSTPONED: Form = {
  says: 'an object like { by: "1h" } or { to: instant }',
  mistakeIn: (value) => {
    if (!isObject(value)) return { what: inWords(value), write: `write { by: ${written(value)} }` };
    if ("by" in value) return LATER.mistakeIn(value.by);
    return INSTANT.mistakeIn(value.to);
  },
};

const GOAL: Form = {
  says: 'a span like "10m", or an object like { to: instant } or { before: id }',
  mistakeIn: (value) => {
    if (!isObject(value)) return BACK.mistakeIn(value);
    if ("by" in value) return BACK.mistakeIn(value.by);
    return "to" in value ? INSTANT.mistakeIn(value.to) : ID.mistakeIn(value.before);
  },
};

const FIXTURE = thing(
  "the name of a bundled fixture, or a fixture",
  (value) =>
    (typeof value === "string" && value !== "" && !/[\\/]|\.json$/.test(value)) || isObject(value),
  "read a file yourself, and pass what it holds: JSON.parse(await readFile(path))",
);

const REQUEST = thing(
  "a Request",
  (value) => isObject(value) && typeof value.url === "string" && "headers" in value,
  "write new Request(url)",
);

const FAKE_TIMERS = thing(
  "what fakes timers",
  (value) => isObject(value) && typeof value.useFakeTimers === "function",
  "pass vi or jest",
);

const STATE = word("world", "world:sandbox");

const URL_OF_SIMULATOR = thing(
  'a URL like "http://127.0.0.1:4747"',
  (value) => typeof value === "string",
  'write connect("http://127.0.0.1:4747", { world })',
);

const ACCESS = {
  world: "text",
  clientId: "text",
  clientSecret: "text",
  controlToken: "text",
} as const;

/** The arguments of each member of a simulator; members without any are left out. */
export const MEMBER_ARGUMENTS: Readonly<Record<string, readonly Argument[]>> = {
  connect: [
    may("url", URL_OF_SIMULATOR),
    may("options", options(ACCESS, '{ world: "checkout-7" }')),
  ],
  advance: [must("span", AHEAD)],
  advanceTo: [must("instant", INSTANT)],
  advanceUntil: [must("id", ID), must("status", word("status", "COMPLETED"))],
  rewind: [must("goal", GOAL)],
  fork: [may("name", NAME), may("options", options({ inPlaceOf: "any" }, "{ inPlaceOf: sim }"))],
  removeWorld: [must("name", NAME)],
  snapshot: [must("name", NAME)],
  restore: [
    must("name", NAME),
    may("options", options({ keepClock: "flag" }, "{ keepClock: true }")),
  ],
  diff: [must("from", STATE), may("to", STATE)],
  coverage: [may("of", word("of", "all"))],
  recording: [may("name", NAME)],
  seed: [must("fixture", FIXTURE)],
  why: [must("id", ID)],
  ledger: [
    may("query", options({ account: "text", from: "any", to: "any", ...PAGE }, "{ account: id }")),
  ],
  followFakeTimers: [must("timers", FAKE_TIMERS)],
  fetch: [must("request", REQUEST)],
  "clock.set": [
    must("mode", word("mode", "manual")),
    may("options", options({ speed: "number" }, "{ speed: 60 }")),
  ],
  "webhooks.wait": [must("wanted", WANTED)],
  "webhooks.count": [must("wanted", WANTED)],
  "webhooks.list": [
    may(
      "query",
      options({ type: "text", about: "text", state: "text", ...PAGE }, '{ type: "TEST" }'),
    ),
  ],
  "webhooks.get": [must("id", ID)],
  "webhooks.resend": [
    must("id", ID),
    may("options", options({ resign: "flag" }, "{ resign: true }")),
  ],
  "webhooks.trigger": [
    must("type", word("type", "OUTGOING_PAYMENT.COMPLETED")),
    may("options", options({ set: "any" }, '{ set: { "data.status": "FAILED" } }')),
  ],
  "inbox.list": [may("query", options({ to: "text" }, '{ to: "ada@example.com" }'))],
  "inbox.wait": [
    may("query", options({ to: "text", timeoutMs: "number" }, '{ to: "ada@example.com" }')),
  ],
  "approvals.list": [may("query", options(PAGE, "{ limit: 10 }"))],
  "approvals.approve": [must("actionId", ID)],
  "approvals.reject": [must("actionId", ID), may("reason", word("reason", "too much"))],
  "approvals.set": [must("mode", word("mode", "ask"))],
  "faults.add": [must("fault", FAULT)],
  "faults.remove": [must("id", ID)],
  "requests.list": [
    may(
      "query",
      options(
        { status: "any", operation: "text", method: "text", ...PAGE },
        '{ operation: "createQuote" }',
      ),
    ),
  ],
  "requests.get": [
    must("id", ID),
    may("options", options({ bodies: "text" }, '{ bodies: "whole" }')),
  ],
  "timers.list": [
    may("query", options({ from: "any", to: "any", buckets: "number", ...PAGE }, "{ limit: 10 }")),
  ],
  "timers.fire": [must("id", ID)],
  "timers.postpone": [must("id", ID), must("until", POSTPONED)],
  "timers.cancel": [must("id", ID)],
  "outcomes.next": [
    must("rule", word("rule", "quotedPayment.003")),
    may("options", options({ for: "text", times: "number" }, "{ for: id }")),
  ],
  "outcomes.lift": [may("id", ID)],
  "snapshots.remove": [must("name", NAME)],
};

/**
 * Checks the arguments of a member (spec/library.md#arguments).
 * @throws TypeError that names the mistake and the right form
 */
export const requireArguments = (member: string, args: readonly unknown[]) => {
  for (const [at, { name, form, isOptional }] of (MEMBER_ARGUMENTS[member] ?? []).entries())
    if (args[at] !== undefined || !isOptional) requireForm(`${name} of ${member}`, form, args[at]);
};

/** Calls of a group whose arguments are checked before anything is sent. */
export const checked = <Calls extends object>(group: string, calls: Calls): Calls =>
  Object.fromEntries(
    Object.entries(calls).map(([name, run]) => [
      name,
      async (...args: unknown[]) => {
        requireArguments(`${group}.${name}`, args);
        return run(...args);
      },
    ]),
  ) as Calls;

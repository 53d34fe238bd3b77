import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { runsOf } from "../../setup/campaign.ts";
import type { Answer } from "../../setup/test-simulator.ts";
import { fingerprintOf, OPERATIONS, type Operation } from "../setup/every-operation.ts";
import { headersOf, type KnownIds, knownPath, populate, VALID_BODIES } from "../setup/populated.ts";
import { expectErrorShape } from "../setup/refused.ts";
import { preparedOnce, worldPerTest } from "../setup/world-per-test.ts";

const JSON_TYPE = { "content-type": "application/json" };
const SEED = 20_260_105;

const world = worldPerTest();
let ids: KnownIds;

const populated = preparedOnce(populate);

beforeEach(async () => {
  ids = await populated(world());
});

const WITH_BODY = OPERATIONS.filter(({ takesBody }) => takesBody);
const WITH_SAMPLE = WITH_BODY.filter(({ operationId }) => VALID_BODIES[operationId]);

/** Checks that a call is not a bug, and that a refusal changes nothing and gives a reason. */
const expectSound = async (act: () => Promise<Answer>) => {
  const before = await fingerprintOf(world());
  const answer = await act();
  if (answer.status >= 400) {
    expect([400, 401, 403, 404, 405, 409, 410, 413, 415, 424, 501]).toContain(answer.status);
    expectErrorShape(answer);
    expect(await fingerprintOf(world())).toEqual(before);
  }
  expect(world().alarms).toEqual([]);
};

const send = (one: Operation, body: string | Uint8Array<ArrayBuffer>) =>
  world().raw(one.method, knownPath(one, ids), {
    headers: { ...headersOf(one, ids), ...JSON_TYPE },
    body,
  });

/** Values that schemas often handle wrongly. */
const junk = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    "",
    "\u0000",
    "\ud800",
    "__proto__",
    "x".repeat(300),
    1e308,
    -0,
    2 ** 53,
  ),
  fc.constantFrom<unknown>([], {}, null, true, [[]], [null], { length: -1 }, { toString: 1 }),
);

type Node = Record<string, unknown>;

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null;

/** Replaces, drops or adds a member somewhere in a body; `where` selects the place. */
const mutate = (body: unknown, where: number[], change: { value: unknown; drop: boolean }) => {
  const copy = structuredClone(body) as Node;
  let node = copy;
  for (const [depth, step] of where.entries()) {
    const keys = Object.keys(node);
    const key = keys[step % Math.max(1, keys.length)] ?? "added";
    const next = node[key];
    const isLast = depth === where.length - 1;
    if (!isLast && isNode(next) && Object.keys(next).length > 0) {
      node = next;
      continue;
    }
    if (change.drop) delete node[key];
    else node[key] = change.value;
    break;
  }
  return copy;
};

describe("no body is a bug", () => {
  test("of any text, for any operation", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...WITH_BODY),
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.json(),
          fc.stringMatching(/^[[{"\\\]}:,0-9eE.-]*$/),
        ),
        (one, body) => expectSound(() => send(one, body)),
      ),
      { seed: SEED, numRuns: runsOf(250) },
    );
  });

  test("of any bytes, for any operation", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...WITH_BODY),
        fc.uint8Array({ maxLength: 64 }),
        (one, body) => expectSound(() => send(one, new Uint8Array(body))),
      ),
      { seed: SEED, numRuns: runsOf(100) },
    );
  });

  test("of any JSON value, for any operation", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...WITH_BODY), junk, (one, value) =>
        expectSound(() => send(one, JSON.stringify(value))),
      ),
      { seed: SEED, numRuns: runsOf(250) },
    );
  });

  test.each(WITH_SAMPLE)("made from a valid one by a change or two: $operationId", async (one) => {
    const where = fc.array(fc.nat({ max: 12 }), { minLength: 1, maxLength: 4 });
    const change = fc.record({ value: junk, drop: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.tuple(where, change), fc.tuple(where, change), (first, second) => {
        const once = mutate(VALID_BODIES[one.operationId]?.(ids), ...first);
        const body = JSON.stringify(mutate(once, ...second));
        return expectSound(() => send(one, body));
      }),
      { seed: SEED, numRuns: runsOf(120) },
    );
  });
});

describe("no path is a bug", () => {
  test("of any segments, with any method", async () => {
    const known = OPERATIONS.flatMap(({ path }) => path.split("/").slice(1));
    const segment = fc.oneof(
      fc.constantFrom(...known),
      fc.string({ unit: "grapheme", maxLength: 20 }).map((text) => encodeURIComponent(text)),
      fc.stringMatching(/^[%0-9a-fA-F.:$@~*+-]{0,12}$/),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE"),
        fc.array(segment, { maxLength: 5 }),
        (method, segments) => expectSound(() => world().raw(method, ["", ...segments].join("/"))),
      ),
      { seed: SEED, numRuns: runsOf(300) },
    );
  });
});

describe("no query is a bug", () => {
  test("of any parameters, for any operation that reads them", async () => {
    const reading = OPERATIONS.filter(({ query }) => query.length > 0);
    const query = fc.array(
      fc.tuple(fc.nat({ max: 20 }), fc.string({ unit: "binary", maxLength: 30 })),
      {
        maxLength: 4,
      },
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...reading), query, (one, pairs) => {
        const search = new URLSearchParams(
          pairs.map(([at, value]): [string, string] => [
            one.query[at % one.query.length] ?? "",
            value,
          ]),
        );
        const path = `${knownPath(one, ids)}?${search}`;
        return expectSound(() => world().raw(one.method, path, { headers: headersOf(one, ids) }));
      }),
      { seed: SEED, numRuns: runsOf(300) },
    );
  });
});

import * as z from "zod";
import { shownValue } from "../contract/core/shown-value.ts";

/** Lines have right checksums and wrong members when somebody wrote them by hand. */
const Count = z.int().min(0);
const Ms = z.number().min(-8.64e15).max(8.64e15);
const Members = z.record(z.string(), z.unknown());
const Pairs = z.array(z.tuple([z.string(), z.string()]));

const Head = z.looseObject({
  capsule: Count.min(1),
  program: z.string(),
  contract: z.string(),
  w: Ms,
  options: Members,
  fixture: Members.optional(),
  beginning: z
    .looseObject({ openedAtMs: Ms, forkCounts: z.array(z.tuple([z.string(), Count])) })
    .optional(),
  secrets: z.enum(["placeholders", "included"]),
});

const Numbered = { n: Count, at: Count };
const World = z.looseObject({ state: z.string() });

const call = <Type extends "request" | "control">(t: Type) =>
  z.looseObject({
    ...Numbered,
    t: z.literal(t),
    world: z.string().optional(),
    id: z.string().optional(),
    w: Ms,
    e: Ms,
    method: z.string().regex(/^[A-Z-]+$/),
    url: z.url({ protocol: /^https?$/ }),
    headers: Pairs,
    body: z.base64().optional(),
    unread: Count.optional(),
    caller: z
      .union([z.looseObject({ basic: z.string() }), z.looseObject({ control: z.literal(true) })])
      .optional(),
    facts: z.array(z.looseObject({ of: z.string() })).optional(),
    reply: z.looseObject({
      status: z.int().min(100).max(999),
      headers: z.record(z.string(), z.string()),
      body: z.string().optional(),
      sha: z.string().optional(),
    }),
  });

const Line = z.discriminatedUnion("t", [
  call("request"),
  call("control"),
  z.looseObject({ ...Numbered, t: z.literal("advance"), w: Ms, e: Ms, span: z.string() }),
  z.looseObject({
    ...Numbered,
    t: z.literal("attempt"),
    w: Ms,
    event: z.string(),
    answer: Members,
  }),
  z.looseObject({
    ...Numbered,
    t: z.literal("keys"),
    issuer: z.string(),
    configured: z.boolean(),
    found: z.looseObject({ keys: z.array(Members) }),
  }),
  z.looseObject({ ...Numbered, t: z.literal("origin"), url: z.url({ protocol: /^https?$/ }) }),
  z.looseObject({
    ...Numbered,
    t: z.literal("change"),
    world: z.string().optional(),
    by: z.string(),
    row: z.string().optional(),
    digest: z.string(),
  }),
  z.looseObject({
    ...Numbered,
    t: z.literal("world"),
    image: World.extend({
      name: z.string(),
      from: z.string().optional(),
      clientId: z.string(),
      clientSecret: z.string(),
      webhookKeyPem: z.string(),
      start: Count,
      requests: Count,
      latestMs: Ms,
      counts: Members,
      earlier: z.looseObject({
        forkedAt: z.string().optional(),
        points: z.array(World.extend({ point: Members })),
      }),
    }),
  }),
  z.looseObject({
    ...Numbered,
    t: z.literal("drawn"),
    what: z.enum(["codes", "webhook key"]),
    value: z.string(),
  }),
]);

/** Files of version 1 do not count their calls. */
const End = z.looseObject({ end: Count, requests: Count.optional(), left: Count.optional() });

const misfitOf = (shape: z.ZodType, value: unknown): string | undefined => {
  const [issue] = shape.safeParse(value).error?.issues ?? [];
  if (!issue) return undefined;
  const at = issue.path.join("/");
  return at === "" ? "it is not a line of a capsule" : `its member ${at} has an unexpected value`;
};

/** Says which member of a first line has a form that no recorder writes. */
export const misfitOfHead = (head: object) => misfitOf(Head, head);

/**
 * Says why a line cannot stand where it does, beginning with one that is missing.
 * @param before lines between it and the first one
 */
export const misfitOfLine = (value: object, before: number): string | undefined => {
  if ("end" in value) {
    const { end } = value as { end: unknown };
    if (end === before) return misfitOf(End, value);
    return `it says that ${String(end)} lines are before it but ${before} are`;
  }
  const { n } = value as { n?: unknown };
  if (n !== before + 1) return `expected the number ${before + 1} but found ${shownValue(n)}`;
  return misfitOf(Line, value);
};

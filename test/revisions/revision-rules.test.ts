import { describe, expect, test } from "vitest";
import * as z from "zod";
import { added, gone, revised } from "../../src/contract/core/revised-shape.ts";
import type { EventType } from "../../src/contract/webhooks/events.ts";
import type { Rule } from "../../src/domain/core/draft.ts";
import { emit } from "../../src/domain/core/events.ts";
import {
  isChanged,
  type LaterMembers,
  revisionOf,
  shownIn,
} from "../../src/domain/core/revision.ts";
import { endpoint, formIn } from "../../src/http/door/endpoint.ts";
import { RuleWorld } from "../domain/setup/rule-world.ts";

const LATER = "2026-08";
const REVISIONS = ["2025-10", LATER] as const;

/** A world that serves a revision, as a start with `--revision` sets it. */
const worldIn = (revision: (typeof REVISIONS)[number]) => {
  const world = new RuleWorld();
  const serve: Rule<undefined, void> = (draft) => {
    const [id = ""] = draft.ids("PlatformConfig", "all", "");
    const config = draft.get("PlatformConfig", id);
    if (config) draft.put("PlatformConfig", { ...config, revision });
  };
  if (revision !== "2025-10") world.run(serve, undefined);
  return world;
};

interface Shown {
  id: string;
  old?: string;
  word: string;
  fresh?: number;
  none?: string;
}

const MEMBERS: LaterMembers<Shown, { count: number }> = {
  old: { since: "cardLimits", value: () => undefined },
  word: { since: "cardLimits", value: () => "later" },
  fresh: { since: "cardLimits", value: (_view, { count }) => count },
  none: { since: "cardLimits", value: () => undefined },
};

// spec/revisions.md#changes
describe.each(REVISIONS)("in %s", (revision) => {
  const isLater = revision === LATER;

  test("a record is shown with the members of the revision, and those alone", () => {
    const shown = worldIn(revision).read(
      (view) => shownIn(view, { id: "1", old: "o", word: "first" }, [{ count: 7 }, MEMBERS]),
      undefined,
    );
    expect(shown).toEqual(
      isLater ? { id: "1", word: "later", fresh: 7 } : { id: "1", old: "o", word: "first" },
    );
    expect(Object.keys(shown)).toHaveLength(3);
  });

  test("a world knows its revision and the changes of it", () => {
    const told = worldIn(revision).read(
      (view) => [revisionOf(view), isChanged(view, "cardLimits")],
      undefined,
    );
    expect(told).toEqual([revision, isLater]);
  });

  test.each<[EventType, boolean]>([
    ["CUSTOMER.KYC_APPROVED", true],
    ["CARD_TRANSACTION.SETTLED", isLater],
    ["EXTERNAL_ACCOUNT.STATUS_UPDATED", isLater],
    ["INCOMING_PAYMENT.REFUND_FAILED", isLater],
    ["OUTGOING_PAYMENT.PENDING_AUTHORIZATION", isLater],
  ])("%s is recorded: %s", (type, isRecorded) => {
    const id = worldIn(revision).run(
      (draft, input: EventType, moment) => emit(draft, moment, { type: input, data: { id: "1" } }),
      type,
    );
    expect(id.startsWith("Webhook:")).toBe(isRecorded);
  });
});

const Body = revised(z.object({ old: z.string(), both: z.string() }), {
  old: gone("cardLimits"),
  fresh: added("cardLimits", z.string()),
});
const Reply = revised(z.object({ old: z.string() }), {
  old: gone("cardLimits"),
  fresh: added("cardLimits", z.string()),
});

const CARD = endpoint("createCard", {
  summary: "Issue a card",
  query: { view: z.enum(["short"]).optional() },
  body: Body,
  replies: [201, Reply],
  refuses: ["CARD_NOT_FOUND"],
  later: { change: "cardLimits", refuses: ["CARD_NOT_MUTABLE"] },
  handle: () => ({ old: "o" }),
} as never);

// spec/revisions.md#changes
test.each([
  {
    revision: "2025-10",
    body: { old: "o", both: "b" },
    reply: { old: "o" },
    refuses: ["CARD_NOT_FOUND"],
  },
  {
    revision: LATER,
    body: { both: "b", fresh: "f" },
    reply: { fresh: "f" },
    refuses: ["CARD_NOT_FOUND", "CARD_NOT_MUTABLE"],
  },
] as const)("an operation has the shapes and refusals of $revision", (row) => {
  const form = formIn(CARD, row.revision);
  const everything = { old: "o", both: "b", fresh: "f" };
  expect(form?.body?.parse(everything)).toEqual(row.body);
  expect(form?.replies[1].parse(everything)).toEqual(row.reply);
  expect(form?.refuses).toEqual(row.refuses);
  expect(formIn(CARD, row.revision)).toBe(form);
});

// spec/revisions.md#features
test("an operation that a revision brought is in no earlier one", () => {
  const later = { ...CARD, since: "cardNumbers" } as const;
  expect(REVISIONS.map((revision) => formIn(later, revision) !== undefined)).toEqual([false, true]);
});

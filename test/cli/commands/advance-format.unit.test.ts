import { beforeAll, expect, test } from "vitest";
import { cutRows, formatAdvance } from "../../../src/cli/commands/advance.ts";
import type { Style } from "../../../src/cli/text/terminal.ts";
import type { Advanced } from "../../../src/contract/control/clock.ts";
import { styleOn } from "../setup/styles.ts";

let whole: Style;
let short: Style;

beforeAll(async () => {
  whole = await styleOn(false);
  short = await styleOn(true);
});

const QUOTE = "Quote:019b8d62-0000-7000-8000-2f11aa8e4b17";
const PAYMENT = "Transaction:019b8d62-a190-7000-8000-9cd07a9f3c2e";
const EXPIRED = "Webhook:019b8d68-27a0-7000-8000-c12f91a30c94";
const COMPLETED = "Webhook:019b8d68-27a0-7000-8000-c12f910c41d8";

const attempt = { id: COMPLETED, type: "OUTGOING_PAYMENT.COMPLETED", about: PAYMENT } as const;

const reply: Advanced = {
  from: "2026-01-05T09:00:20.000Z",
  to: "2026-01-05T09:06:20.000Z",
  complete: true,
  mode: "real",
  aheadMs: 360_000,
  fired: [
    {
      at: "2026-01-05T09:05:15.000Z",
      timer: "quote.expire",
      subject: QUOTE,
      from: "PENDING",
      to: "EXPIRED",
    },
    {
      at: "2026-01-05T09:06:12.000Z",
      timer: "payment.settle",
      subject: PAYMENT,
      from: "PROCESSING",
      to: "COMPLETED",
      rule: "quotedPayment.003",
    },
    { at: "2026-01-05T09:06:13.000Z", timer: "webhook.retry", subject: COMPLETED },
  ],
  firedCount: 3,
  webhooks: [
    {
      at: "2026-01-05T09:05:15.000Z",
      id: EXPIRED,
      type: "OUTGOING_PAYMENT.EXPIRED",
      status: 200,
      state: "ACCEPTED",
      attempt: 1,
      tookMs: 3,
    },
    {
      ...attempt,
      at: "2026-01-05T09:06:12.000Z",
      status: 500,
      state: "RETRYING",
      attempt: 1,
      tookMs: 9,
    },
    {
      ...attempt,
      at: "2026-01-05T09:06:13.000Z",
      status: null,
      state: "RETRYING",
      attempt: 2,
      tookMs: 30_000,
    },
  ],
  webhookCount: 3,
  open: 1,
};

const withoutRows = { fired: [], firedCount: 0, webhooks: [], webhookCount: 0, open: 0 };

test("a row for each timer and each attempt, in the order of their instants", () => {
  expect(formatAdvance(reply, short)).toEqual([
    "clock  2026-01-05 09:00:20Z → 09:06:20Z    +6m, 6m ahead of your computer",
    "",
    "09:05:15  quote.expire                  Quote:…8e4b17        EXPIRED",
    "09:05:15  → OUTGOING_PAYMENT.EXPIRED    Webhook:…a30c94      ✓ 200, 3 ms",
    "09:06:12  payment.settle                Transaction:…9f3c2e  COMPLETED, " +
      "rule quotedPayment.003",
    "09:06:12  → OUTGOING_PAYMENT.COMPLETED  Webhook:…0c41d8      ✗ 500, 9 ms",
    "09:06:13  webhook.retry                 Webhook:…0c41d8      nothing to do",
    "09:06:13  → OUTGOING_PAYMENT.COMPLETED  Webhook:…0c41d8      ✗ no answer, " +
      "30000 ms, attempt 2",
    "",
    "~ 3 timers fired, 3 webhook attempts, 1 open",
  ]);
});

test("off a terminal ids are whole", () => {
  const [, , row = ""] = formatAdvance(reply, whole);
  expect(row.split(/ {2,}/)).toEqual(["09:05:15", "quote.expire", QUOTE, "EXPIRED"]);
});

test.each<{ what: string; differs: Partial<Advanced>; lines: string[] }>([
  {
    what: "the clock stands and nothing is waiting",
    differs: { ...withoutRows, mode: "manual" },
    lines: [
      "clock  2026-01-05 09:00:20Z → 09:06:20Z    +6m, frozen, moves only with advance",
      "- nothing was due, no pending timers",
    ],
  },
  {
    what: "something comes later",
    differs: {
      ...withoutRows,
      next: { dueAt: "2026-01-05T09:11:20.000Z", timer: "quote.expire", subject: QUOTE },
    },
    lines: [
      "clock  2026-01-05 09:00:20Z → 09:06:20Z    +6m, 6m ahead of your computer",
      "- nothing was due; next is quote.expire Quote:…8e4b17 in 5m, at 09:11:20",
    ],
  },
  {
    what: "a real clock has ticked before it moved",
    differs: { ...withoutRows, from: "2026-01-05T09:00:20.001Z" },
    lines: [
      "clock  2026-01-05 09:00:20Z → 09:06:20Z    +6m, 6m ahead of your computer",
      "- nothing was due, no pending timers",
    ],
  },
  {
    what: "it was less than a second",
    differs: { ...withoutRows, to: "2026-01-05T09:00:20.500Z", mode: "manual" },
    lines: [
      "clock  2026-01-05 09:00:20Z → 09:00:20Z    +500ms, frozen, moves only with advance",
      "- nothing was due, no pending timers",
    ],
  },
  {
    what: "another day comes",
    differs: { ...withoutRows, to: "2026-01-12T09:00:20.000Z", aheadMs: 604_800_000 },
    lines: [
      "clock  2026-01-05 09:00:20Z → 2026-01-12 09:00:20Z    +7d, 7d ahead of your computer",
      "- nothing was due, no pending timers",
    ],
  },
  {
    what: "one of each was all",
    differs: {
      fired: reply.fired.slice(0, 1),
      firedCount: 1,
      webhooks: reply.webhooks.slice(0, 1),
      webhookCount: 1,
      open: 0,
    },
    lines: [
      "clock  2026-01-05 09:00:20Z → 09:06:20Z    +6m, 6m ahead of your computer",
      "",
      "09:05:15  quote.expire                Quote:…8e4b17    EXPIRED",
      "09:05:15  → OUTGOING_PAYMENT.EXPIRED  Webhook:…a30c94  ✓ 200, 3 ms",
      "",
      "✓ 1 timer fired, 1 webhook attempt, 0 open",
    ],
  },
])("when $what it says so", ({ differs, lines }) => {
  expect(formatAdvance({ ...reply, ...differs }, short)).toEqual(lines);
});

const rows = (count: number) => Array.from({ length: count }, (_, at) => `row ${at + 1}`);

test("40 rows are all shown", () => {
  expect(cutRows(rows(40))).toEqual(rows(40));
});

test("of more rows the first 20 and the last 5 are shown, and how many are between", () => {
  const cut = cutRows(rows(1185));
  expect(cut).toHaveLength(26);
  expect(cut.slice(0, 20)).toEqual(rows(20));
  expect(cut.slice(20)).toEqual([
    "… 1,160 more: --json",
    "row 1181",
    "row 1182",
    "row 1183",
    "row 1184",
    "row 1185",
  ]);
});

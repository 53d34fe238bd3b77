import type { AllRows } from "../../../src/contract/control/feed-rows.ts";
import type { WorldRow } from "../../../src/contract/control/worlds.ts";
import { takeEvents } from "../../../src/rows/take-events.ts";
import { initialWorld, type WatchedWorld } from "../../../src/rows/world.ts";
import { frameOf } from "../../../src/tui/frame.ts";
import { plainOf } from "../../../src/tui/line.ts";
import type { Scene } from "../../../src/tui/scene.ts";
import { firstView, type View } from "../../../src/tui/view.ts";

/** The system clock's instant in every scene. */
export const WALL_MS = 1_000_000;

export const NOW = "2026-01-05T09:02:41.000Z";

export const id = (kind: string, tail: string) => `${kind}:019b8d62-b518-7000-8000-a5f7d0${tail}`;

export const QUOTE = id("Quote", "8e4b17");
export const ACTION = id("AgentAction", "e2d4c8");
export const WEBHOOK = id("Webhook", "6d12f7");

const usd = (amount: number) => ({ amount, currency: "USD" });
const eur = (amount: number) => ({ amount, currency: "EUR" });

/** The world of the frames that are kept as files. */
export const ROWS: AllRows = {
  payments: [
    {
      id: QUOTE,
      version: 1,
      kind: "QUOTE",
      status: "PENDING",
      sends: usd(100_000),
      receives: eur(91_704),
      to: { id: id("ExternalAccount", "b20c7e"), name: "Lucie Moreau" },
      createdAt: "2026-01-05T09:00:15.000Z",
      changedAt: "2026-01-05T09:00:15.000Z",
      timer: {
        dueAt: "2026-01-05T09:05:15.000Z",
        setAt: "2026-01-05T09:00:15.000Z",
        timer: "quote.expire",
        then: "EXPIRED",
      },
    },
    {
      id: id("Quote", "1c07ab"),
      version: 2,
      kind: "QUOTE",
      status: "PROCESSING",
      sends: usd(25_000),
      receives: eur(22_911),
      createdAt: "2026-01-05T09:00:10.000Z",
      changedAt: "2026-01-05T09:00:12.000Z",
      rule: "quotedPayment.003",
      timer: {
        dueAt: "2026-01-05T09:06:12.000Z",
        setAt: "2026-01-05T09:00:12.000Z",
        timer: "payment.settle",
        then: "COMPLETED",
        rule: "quotedPayment.003",
      },
    },
    {
      id: id("Quote", "40d7c2"),
      version: 3,
      kind: "QUOTE",
      status: "COMPLETED",
      sends: usd(54_533),
      receives: eur(50_000),
      createdAt: "2026-01-05T08:58:30.000Z",
      changedAt: "2026-01-05T08:58:31.000Z",
      settledAt: "2026-01-05T08:58:31.000Z",
    },
    {
      id: id("Quote", "a96e38"),
      version: 4,
      kind: "QUOTE",
      status: "FAILED",
      sends: usd(25_000),
      receives: { amount: 429_766, currency: "MXN" },
      createdAt: "2026-01-05T08:58:20.000Z",
      changedAt: "2026-01-05T08:58:20.000Z",
      reason: "QUOTE_EXECUTION_FAILED",
      refund: "COMPLETED",
      rule: "quotedPayment.002",
    },
    {
      id: id("Quote", "77d0b4"),
      version: 5,
      kind: "QUOTE",
      status: "EXPIRED",
      sends: usd(8_000),
      receives: eur(7_318),
      createdAt: "2026-01-05T08:50:00.000Z",
      changedAt: "2026-01-05T08:55:00.000Z",
    },
  ],
  approvals: [
    {
      id: ACTION,
      version: 6,
      type: "TRANSFER_OUT",
      status: "PENDING_APPROVAL",
      ...usd(32_500),
      agentName: "Invoice bot",
      to: { id: id("ExternalAccount", "7c19ae"), name: "Hugo Brandt" },
      createdAt: "2026-01-05T08:59:08.000Z",
      because: { rule: "approvalThreshold", limit: 20_000, value: 32_500, currency: "USD" },
      from: { id: id("InternalAccount", "e61a90"), ...usd(225_000) },
    },
  ],
  deliveries: [
    {
      id: id("Webhook", "2c8d60"),
      type: "OUTGOING_PAYMENT.PENDING",
      about: id("Transaction", "5b9e1d"),
      status: 200,
      state: "ACCEPTED",
      attempt: 1,
      createdAt: "2026-01-05T09:00:15.000Z",
      sentAt: "2026-01-05T09:00:15.000Z",
      tookMs: 3,
    },
    {
      id: WEBHOOK,
      type: "AGENT_ACTION.PENDING_APPROVAL",
      about: ACTION,
      status: 503,
      state: "RETRYING",
      attempt: 8,
      createdAt: "2026-01-05T08:59:08.000Z",
      sentAt: "2026-01-05T08:59:08.000Z",
      tookMs: 2,
      nextAttemptAt: "2026-01-05T09:03:23.000Z",
    },
    {
      id: id("Webhook", "50c8a9"),
      type: "OUTGOING_PAYMENT.PROCESSING",
      about: id("Transaction", "d81f3a"),
      status: 409,
      state: "ACCEPTED",
      attempt: 2,
      createdAt: "2026-01-05T08:58:31.000Z",
      sentAt: "2026-01-05T08:58:31.000Z",
      tookMs: 2,
    },
  ],
  requests: [
    {
      id: "req-1-128",
      at: "2026-01-05T09:00:20.000Z",
      method: "GET",
      path: `/quotes/${QUOTE}`,
      status: 200,
      tookMs: 1,
      caused: [],
    },
    {
      id: "req-1-126",
      at: "2026-01-05T09:00:13.000Z",
      method: "POST",
      path: `/quotes/${id("Quote", "1c07ab")}/execute`,
      status: 409,
      tookMs: 1,
      error: { code: "CONFLICT", reason: "QUOTE_ALREADY_EXECUTED" },
      caused: [],
    },
    {
      id: "req-1-125",
      at: "2026-01-05T09:00:12.000Z",
      method: "POST",
      path: `/quotes/${id("Quote", "1c07ab")}/execute`,
      status: 200,
      tookMs: 6,
      caused: [id("Webhook", "f4e2a9"), id("Webhook", "71b0dc"), "payment.settle Transaction:1"],
    },
  ],
  timers: [
    {
      id: `webhook.retry ${WEBHOOK}`,
      dueAt: "2026-01-05T09:03:23.000Z",
      timer: "webhook.retry",
      subject: WEBHOOK,
      then: "sent again",
    },
    {
      id: `quote.expire ${QUOTE}`,
      dueAt: "2026-01-05T09:05:15.000Z",
      timer: "quote.expire",
      subject: QUOTE,
      then: "EXPIRED",
    },
  ],
  mails: [
    {
      id: id("Mail", "000009"),
      to: "ada@example.com",
      code: "418203",
      subject: "Your sign-in code",
      text: "Your code is 418203",
      sentAt: "2026-01-05T09:01:40.000Z",
      credentialId: "AuthMethod:1",
      expiresAt: "2026-01-05T09:06:40.000Z",
    },
  ],
  postings: [
    {
      id: "9.0",
      at: "2026-01-05T09:00:12.000Z",
      cause: "req-1-125",
      account: id("InternalAccount", "e61a90"),
      ...usd(-25_000),
    },
    {
      id: "9.1",
      at: "2026-01-05T09:00:12.000Z",
      cause: "req-1-125",
      account: "Ledger:clearing",
      ...usd(25_000),
    },
  ],
  customers: [
    {
      id: id("Customer", "5d20f4"),
      version: 7,
      name: "Lyon Textiles SARL",
      type: "BUSINESS",
      status: "PENDING",
      platformCustomerId: "lyon-1",
      createdAt: "2026-01-05T08:55:00.000Z",
      balances: [usd(225_000), eur(91_704)],
    },
    {
      id: id("Customer", "91be03"),
      version: 8,
      name: "Ada Lovelace",
      type: "INDIVIDUAL",
      status: "APPROVED",
      platformCustomerId: "ada",
      createdAt: "2026-01-05T08:50:00.000Z",
      balances: [],
    },
  ],
  cards: [
    {
      id: id("Card", "c4a7d1"),
      version: 9,
      state: "ACTIVE",
      lastFour: "4242",
      holder: { id: id("Customer", "91be03"), name: "Ada Lovelace" },
      account: { id: id("InternalAccount", "e61a90"), ...usd(225_000) },
      accountCount: 2,
      createdAt: "2026-01-05T08:56:00.000Z",
    },
    {
      id: id("Card", "0b33f8"),
      version: 10,
      state: "CLOSED",
      reason: "CLOSED_BY_PLATFORM",
      lastFour: "1881",
      holder: { id: id("Customer", "91be03"), name: "Ada Lovelace" },
      accountCount: 0,
      createdAt: "2026-01-05T08:51:00.000Z",
    },
  ],
  faults: [],
  totals: { EUR: 0, USD: 0 },
  held: { EUR: 91_704, USD: 225_000 },
  webhookEndpoint: "http://127.0.0.1:3000/hooks",
};

export const EMPTY: AllRows = {
  payments: [],
  approvals: [],
  deliveries: [],
  requests: [],
  timers: [],
  mails: [],
  postings: [],
  customers: [],
  cards: [],
  faults: [],
  totals: {},
  held: {},
};

/** A world that has been greeted with rows. */
export const watchedWith = (rows: AllRows, mode = "real"): WatchedWorld =>
  takeEvents(
    initialWorld(WALL_MS),
    [
      {
        event: "hello",
        id: "1-1",
        data: { world: "sandbox", now: NOW, clock: { mode, aheadMs: 0 }, rows },
      },
    ],
    WALL_MS,
  );

export const sceneOf = (
  columns: number,
  rows: number,
  { watched = watchedWith(ROWS), view = {} }: { watched?: WatchedWorld; view?: Partial<View> } = {},
): Scene => ({
  watched,
  view: { ...firstView(), ...view },
  size: { columns, rows },
  wallMs: WALL_MS,
  url: "http://127.0.0.1:4747",
  ascii: false,
  story: (story) => (story as { lines: string[] }).lines,
});

/** A frame in readable form, without spaces at the ends of lines. */
export const linesOf = (scene: Scene) => frameOf(scene).map((line) => plainOf(line).trimEnd());

/** Worlds of a simulator: the default one, and one for each of nine tests. */
export const WORLDS: readonly WorldRow[] = [
  {
    name: "sandbox",
    clientId: "sandbox",
    records: 1204,
    now: "2026-01-05T09:02:41.000Z",
    isStarting: true,
  },
  ...Array.from({ length: 9 }, (_, at) => ({
    name: `checkout-${at + 1}`,
    clientId: `sandbox+checkout-${at + 1}`,
    records: 40 + at,
    now: "2026-01-06T10:00:00.000Z",
    from: "sandbox",
  })),
];

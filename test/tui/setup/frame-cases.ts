import type { Fault } from "../../../src/contract/platform/faults.ts";
import type { Scene } from "../../../src/tui/scene.ts";
import type { Sheet } from "../../../src/tui/view.ts";
import { SENT } from "./calculations.ts";
import {
  EMPTY,
  id,
  QUOTE,
  ROWS,
  sceneOf,
  WALL_MS,
  WEBHOOK,
  WORLDS,
  watchedWith,
} from "./scenes.ts";

/** A quote whose payment is under way, as its record and its story tell it. */
const payment = {
  list: "payments" as const,
  id: id("Quote", "1c07ab"),
  subject: id("Quote", "1c07ab"),
  path: "/records/1",
  isWhy: false,
  isJson: false,
  top: 0,
  body: {
    record: {
      id: id("Quote", "1c07ab"),
      kind: "Quote",
      name: "Lucie Moreau",
      status: "PROCESSING",
      record: { createdAt: "2026-01-05T09:00:10.000Z", exchangeRate: 1.086956522 },
      related: [
        {
          id: id("Transaction", "9f3c2e"),
          kind: "Transaction",
          name: "Lucie Moreau",
          type: "OUTGOING",
          status: "PROCESSING",
        },
      ],
    },
    payment: {
      id: id("Transaction", "9f3c2e"),
      kind: "Transaction",
      record: { exchangeRate: 1.086956522, fees: 96 },
      related: [],
    },
    story: {
      id: id("Quote", "1c07ab"),
      kind: "Quote",
      status: "PROCESSING",
      sends: { amount: 25_000, currency: "USD" },
      receives: { amount: 22_911, currency: "EUR" },
      fees: { amount: 96, currency: "USD" },
      calculation: SENT,
      payee: {
        id: id("ExternalAccount", "b20c7e"),
        name: "Lucie Moreau",
        identifier: "iban …3003",
      },
      chain: [
        {
          at: "2026-01-05T09:00:10.000Z",
          status: "PENDING",
          because: { kind: "request", id: "req-1-124", operation: "createQuote" },
          effects: [],
        },
        {
          at: "2026-01-05T09:00:12.000Z",
          status: "PROCESSING",
          because: { kind: "request", id: "req-1-125", operation: "executeQuote" },
          effects: [],
        },
      ],
    },
  },
};

/** The test rules, below an empty world. */
const testRules = {
  ...payment,
  id: "",
  path: "/outcomes",
  body: {
    data: [
      {
        title: "QUOTED PAYMENT",
        reads: "the last 3 characters of the number",
        rows: [
          { match: "002", ends: "FAILED", says: "quote execution failed" },
          { match: "otherwise", ends: "COMPLETED", says: "completes at once" },
        ],
      },
    ],
  },
};

const MADE = { ...EMPTY, payments: ROWS.payments.slice(1, 2), timers: ROWS.timers.slice(1) };

/** A lost connection, twelve seconds ago. */
const lost = () => {
  const watched = watchedWith(ROWS);
  const sinceMs = WALL_MS - 12_000;
  return {
    ...watched,
    clock: watched.clock && { ...watched.clock, wallMs: sinceMs },
    link: { state: "lost" as const, sinceMs, nextTryMs: WALL_MS + 4_000, missed: 0 },
  };
};

const webhook = {
  list: "deliveries" as const,
  id: WEBHOOK,
  subject: WEBHOOK,
  path: "/webhooks/1",
  isWhy: false,
  isJson: false,
  top: 0,
  body: {
    id: WEBHOOK,
    type: "AGENT_ACTION.PENDING_APPROVAL",
    about: ROWS.approvals[0]?.id,
    state: "RETRYING",
    nextAttemptAt: "2026-01-05T09:03:23.000Z",
    cause: { kind: "request", id: "req-1-120", method: "POST", path: "/agents/me/transfer-out" },
    attempts: [
      {
        attempt: 7,
        at: "2026-01-05T09:00:11.000Z",
        status: 503,
        tookMs: 2,
        reply: "upstream down\ntry again later",
      },
      { attempt: 8, at: "2026-01-05T09:01:15.000Z", status: null, tookMs: 2, error: "refused" },
    ],
    signature: { key: "5d0a91c7", valid: true },
    body: '{"id":"Webhook:1","data":{"status":"PENDING_APPROVAL"}}',
  },
};

const armed: Fault = {
  id: "Fault:019b8d62-b518-7000-8000-a5f7d0fa0001",
  match: { operation: "createQuote", times: 1 },
  fault: { status: 503 },
  seen: 0,
  struck: 0,
  createdAt: "2026-01-05T09:02:00.000Z",
};

const FAULT_SHEET: Sheet = {
  kind: "fault",
  field: "call",
  call: "createQuote",
  how: "503",
  sought: "",
  isFresh: true,
};

const REFUSED_ENDPOINT: Sheet = {
  kind: "endpoint",
  text: "nowhere",
  before: "",
  isFresh: false,
  failure: 'Expected an http or https URL in webhookEndpoint but found "nowhere"',
};

const TAKEN_NAME: Sheet = {
  kind: "fork",
  from: "sandbox",
  text: "checkout-7",
  failure: "The name checkout-7 is taken by world checkout-7",
};

/** A fork that is watched. */
const inFork = (name = "checkout-7") => ({ ...watchedWith(ROWS), world: name, asked: name });

/** Frames that are kept as files, in readable form. */
export const FRAMES: readonly { name: string; scene(): Scene }[] = [
  { name: "120x36", scene: () => sceneOf(120, 36) },
  { name: "80x24", scene: () => sceneOf(80, 24) },
  { name: "60x15", scene: () => sceneOf(60, 15) },
  { name: "59x14", scene: () => sceneOf(59, 14) },
  { name: "80x24-empty", scene: () => sceneOf(80, 24, { watched: watchedWith(EMPTY, "manual") }) },
  {
    name: "120x50-empty",
    scene: () =>
      sceneOf(120, 50, { watched: watchedWith(EMPTY, "manual"), view: { preview: testRules } }),
  },
  { name: "80x24-first", scene: () => sceneOf(80, 24, { watched: watchedWith(MADE) }) },
  { name: "200x80", scene: () => sceneOf(200, 80, { view: { preview: payment } }) },
  { name: "120x50", scene: () => sceneOf(120, 50, { view: { preview: payment } }) },
  { name: "80x24-payment", scene: () => sceneOf(80, 24, { view: { detail: payment } }) },
  { name: "60x15-payment", scene: () => sceneOf(60, 15, { view: { detail: payment } }) },
  {
    name: "80x24-timer",
    scene: () =>
      sceneOf(80, 24, {
        view: { detail: { ...payment, list: "timers", id: ROWS.timers[0]?.id ?? "" } },
      }),
  },
  {
    name: "80x24-payout",
    scene: () =>
      sceneOf(80, 24, {
        watched: watchedWith(EMPTY),
        view: { sheet: { kind: "confirm", does: "make-payout", id: "" } },
      }),
  },
  { name: "80x24-lost", scene: () => sceneOf(80, 24, { watched: lost() }) },
  {
    name: "80x24-ledger",
    scene: () => sceneOf(80, 24, { view: { pane: "more", tab: "postings" } }),
  },
  { name: "80x24-timers", scene: () => sceneOf(80, 24, { view: { pane: "more", tab: "timers" } }) },
  { name: "80x24-inbox", scene: () => sceneOf(80, 24, { view: { pane: "more", tab: "mails" } }) },
  {
    name: "80x24-advance",
    scene: () =>
      sceneOf(80, 24, { view: { sheet: { kind: "advance", text: "6m", earlierAt: -1 } } }),
  },
  {
    name: "80x24-approve",
    scene: () =>
      sceneOf(80, 24, {
        view: {
          pane: "approvals",
          sheet: { kind: "confirm", does: "approve", id: ROWS.approvals[0]?.id ?? "" },
        },
      }),
  },
  { name: "80x24-help", scene: () => sceneOf(80, 24, { view: { isHelp: true } }) },
  {
    name: "80x24-filter",
    scene: () => sceneOf(80, 24, { view: { filters: { payments: "status:failed" } } }),
  },
  {
    name: "80x24-customers",
    scene: () => sceneOf(80, 24, { view: { pane: "more", tab: "customers" } }),
  },
  {
    name: "120x36-customers",
    scene: () => sceneOf(120, 36, { view: { pane: "more", tab: "customers" } }),
  },
  {
    name: "60x15-customers",
    scene: () => sceneOf(60, 15, { view: { pane: "more", tab: "customers" } }),
  },
  { name: "80x24-cards", scene: () => sceneOf(80, 24, { view: { pane: "more", tab: "cards" } }) },
  { name: "120x36-cards", scene: () => sceneOf(120, 36, { view: { pane: "more", tab: "cards" } }) },
  {
    name: "80x24-customers-filter",
    scene: () =>
      sceneOf(80, 24, { view: { pane: "more", tab: "customers", filters: { customers: "lyon" } } }),
  },
  { name: "60x15-cards", scene: () => sceneOf(60, 15, { view: { pane: "more", tab: "cards" } }) },
  {
    name: "80x24-fault",
    scene: () => sceneOf(80, 24, { view: { pane: "more", sheet: FAULT_SHEET } }),
  },
  { name: "60x15-fault", scene: () => sceneOf(60, 15, { view: { sheet: FAULT_SHEET } }) },
  {
    name: "80x24-armed",
    scene: () => sceneOf(80, 24, { watched: watchedWith({ ...ROWS, faults: [armed] }) }),
  },
  {
    name: "60x15-armed",
    scene: () => sceneOf(60, 15, { watched: watchedWith({ ...ROWS, faults: [armed, armed] }) }),
  },
  {
    name: "80x24-endpoint",
    scene: () => sceneOf(80, 24, { view: { pane: "deliveries", sheet: REFUSED_ENDPOINT } }),
  },
  {
    name: "60x15-endpoint",
    scene: () => sceneOf(60, 15, { view: { pane: "deliveries", sheet: REFUSED_ENDPOINT } }),
  },
  {
    name: "80x24-worlds",
    scene: () => sceneOf(80, 24, { view: { sheet: { kind: "worlds", rows: WORLDS, at: 1 } } }),
  },
  {
    name: "120x36-worlds",
    scene: () => sceneOf(120, 36, { view: { sheet: { kind: "worlds", rows: WORLDS, at: 1 } } }),
  },
  {
    name: "60x15-worlds",
    scene: () => sceneOf(60, 15, { view: { sheet: { kind: "worlds", rows: WORLDS, at: 7 } } }),
  },
  {
    name: "80x24-world-fork",
    scene: () => sceneOf(80, 24, { view: { sheet: TAKEN_NAME }, watched: inFork() }),
  },
  {
    name: "60x15-world-remove",
    scene: () =>
      sceneOf(60, 15, {
        view: { sheet: { kind: "confirm", does: "remove-world", id: "checkout-7" } },
        watched: inFork("a-world-with-a-name-of-the-greatest-length-that-a-name-may-have-x"),
      }),
  },
  { name: "60x15-help", scene: () => sceneOf(60, 15, { view: { isHelp: true } }) },
  { name: "120x36-help", scene: () => sceneOf(120, 36, { view: { isHelp: true } }) },
  { name: "60x15-detail", scene: () => sceneOf(60, 15, { view: { detail: webhook } }) },
  {
    name: "80x24-toast",
    scene: () =>
      sceneOf(80, 24, {
        view: { toast: { text: `copied  ${QUOTE}`, untilMs: WALL_MS + 1_000 } },
      }),
  },
];

import { beforeAll, describe, expect, test } from "vitest";
import { formatClock } from "../../../src/cli/commands/clock.ts";
import { formatOutcomes } from "../../../src/cli/commands/outcomes/list.ts";
import { formatStatus } from "../../../src/cli/commands/status.ts";
import { formatTimers } from "../../../src/cli/commands/timers/list.ts";
import { formatWorlds } from "../../../src/cli/commands/worlds/list.ts";
import { driftOf } from "../../../src/cli/text/drift.ts";
import type { Style } from "../../../src/cli/text/terminal.ts";
import type { ShownClock } from "../../../src/contract/control/clock.ts";
import type { SimulatorStatus } from "../../../src/contract/control/status.ts";
import type { PendingTimers } from "../../../src/contract/control/timers.ts";
import { outcomeGroups } from "../../../src/control/core/outcome-groups.ts";
import { styleOn } from "../setup/styles.ts";

let whole: Style;
let short: Style;

beforeAll(async () => {
  whole = await styleOn(false);
  short = await styleOn(true);
});

const QUOTE = "Quote:019b8d62-0000-7000-8000-2f11aa8e4b17";
const PAYMENT = "Transaction:019b8d62-a190-7000-8000-9cd07a9f3c2e";

describe("clock", () => {
  const clock: ShownClock = {
    now: "2026-01-05T09:00:20.000Z",
    mode: "real",
    aheadMs: 360_000,
    next: { dueAt: "2026-01-05T09:05:15.000Z", timer: "quote.expire", subject: QUOTE },
  };

  test("tells the time, its drift and what is next", () => {
    expect(formatClock(clock, whole)).toEqual([
      "2026-01-05 09:00:20Z  running, 6m ahead of your computer",
      `next  quote.expire ${QUOTE} in 4m55s`,
    ]);
    expect(formatClock(clock, short)[1]).toBe("next  quote.expire Quote:…8e4b17 in 4m55s");
  });

  test("is one line when nothing is waiting", () => {
    const { now, aheadMs } = clock;
    expect(formatClock({ now, mode: "manual", aheadMs }, whole)).toEqual([
      "2026-01-05 09:00:20Z  frozen, moves only with advance",
    ]);
  });

  test.each<Pick<ShownClock, "mode" | "aheadMs"> & { shown: string }>([
    { mode: "manual", aheadMs: 5_000_000, shown: "frozen, moves only with advance" },
    { mode: "real", aheadMs: 0, shown: "running, same as your computer" },
    { mode: "real", aheadMs: 400, shown: "running, same as your computer" },
    { mode: "real", aheadMs: -400, shown: "running, same as your computer" },
    { mode: "real", aheadMs: 360_000, shown: "running, 6m ahead of your computer" },
    { mode: "real", aheadMs: -60_000, shown: "running, 1m behind your computer" },
    { mode: "real", aheadMs: 694_861_000, shown: "running, 8d1h ahead of your computer" },
  ])("a $mode clock $aheadMs ms ahead is $shown", ({ shown, ...clock }) => {
    expect(driftOf(clock)).toBe(shown);
  });
});

test("worlds that are damaged stand below the others", () => {
  const data = [
    { name: "sandbox", clientId: "sandbox", records: 5, now: "2026-01-05T09:00:00.000Z" },
  ];
  const damaged = [{ name: "refunds", found: "Expected a line but found a wrong checksum" }];
  expect(formatWorlds({ data, damaged }, whole).slice(2)).toEqual([
    "",
    "✗ refunds is damaged: Expected a line but found a wrong checksum",
  ]);
});

describe("timers", () => {
  const settle = { timer: "payment.settle", subject: PAYMENT };

  /** A waiting timer that leads to a status. */
  const timer = (status: string, rest: Omit<PendingTimers["data"][number], "then" | "id">) =>
    // biome-ignore lint/suspicious/noThenProperty: the name it has in the reply
    ({ id: `${rest.timer}@${rest.subject}`, ...rest, then: status });

  const timers: Pick<PendingTimers, "data"> = {
    data: [
      timer("EXPIRED", {
        dueAt: "2026-01-05T09:05:15.000Z",
        inMs: 295_000,
        timer: "quote.expire",
        subject: QUOTE,
      }),
      timer("COMPLETED", {
        ...settle,
        dueAt: "2026-01-05T09:06:12.000Z",
        inMs: 352_000,
        rule: "quotedPayment.003",
      }),
      timer("COMPLETED", {
        ...settle,
        dueAt: "2026-01-06T09:00:00.000Z",
        inMs: -1,
        poisoned: "it refused with CONFLICT",
      }),
    ],
  };

  test("one row each, in columns below their heads", () => {
    expect(formatTimers(timers, short)).toEqual([
      "DUE             IN     TIMER           SUBJECT              THEN",
      "01-05 09:05:15  4m55s  quote.expire    Quote:…8e4b17        EXPIRED",
      "01-05 09:06:12  5m52s  payment.settle  Transaction:…9f3c2e  COMPLETED, quotedPayment.003",
      "01-06 09:00:00  0s     payment.settle  Transaction:…9f3c2e  it refused with CONFLICT",
    ]);
  });

  test("a transfer's row is named by its own table", () => {
    const one = timer("FAILED", {
      dueAt: "2026-01-05T09:00:30.000Z",
      inMs: 30_000,
      timer: "payment.refuse",
      subject: PAYMENT,
      rule: "transferOut.005",
    });
    expect(formatTimers({ data: [one] }, short)[1]).toBe(
      "09:00:30  30s  payment.refuse  Transaction:…9f3c2e  FAILED, transferOut.005",
    );
  });

  test("off a terminal ids are whole", () => {
    const [, , row = ""] = formatTimers(timers, whole);
    expect(row.split(/ {2,}/)[3]).toBe(PAYMENT);
  });

  test("none is one sentence", () => {
    expect(formatTimers({ data: [] }, whole)).toEqual(["no pending timers"]);
  });
});

describe("status", () => {
  const status: SimulatorStatus = {
    world: "sandbox",
    now: "2026-01-05T09:06:20.000Z",
    version: "0.1.0",
    pid: 48_213,
    upMs: 8_040_000,
    apiUrl: "http://127.0.0.1:4747/2025-10-13",
    controlUrl: "http://127.0.0.1:4747/_sim",
    seed: "7",
    fixture: "default",
    clock: { mode: "real", aheadMs: 360_000 },
    settings: {
      crypto: "strict",
      walletCredential: "email",
      approvals: "approve",
      cardEvents: "upper",
      revision: "2026-08",
      endUserTerms: "off",
      codes: "fixed",
      webhookSignature: "json",
      oidcIssuers: ["https://a.test", "https://b.test"],
      sandboxUmaDomains: ["uma.test"],
      rateLimit: "10/s",
      clock: "real",
      clientId: "sandbox",
      webhookEndpoint: "http://127.0.0.1:3000/hooks",
      webhookKey: "5d0a91c7",
    },
    storage: {
      url: "file:.service-sim",
      records: 1204,
      journalBytes: 421_888,
      fsync: false,
      writable: true,
    },
    ledger: { totals: { EUR: 0, USD: 0 } },
    approvals: { count: 0 },
    timers: {
      count: 1,
      next: { dueAt: "2026-01-05T09:11:20.000Z", timer: "quote.expire", subject: "Quote:1" },
    },
    webhooks: {
      endpoint: "http://127.0.0.1:3000/hooks",
      key: "5d0a91c7",
      accepted: 41,
      waiting: 0,
      retrying: 0,
      givenUp: 0,
      undeliverable: 0,
    },
  };

  test("a line for each side of it", () => {
    expect(formatStatus(status, short)).toEqual([
      "✓ running   0.1.0, pid 48213, up 2h14m (real time), http://127.0.0.1:4747",
      "console     http://127.0.0.1:4747/_sim/console/",
      "docs        http://127.0.0.1:4747/_sim/docs",
      "world       sandbox, seed 7, fixture default",
      "clock       2026-01-05 09:06:20Z, running, 6m ahead of your computer",
      "settings    crypto strict, wallet-credential email, approvals approve",
      "            card-events upper, codes fixed, webhook-signature json",
      "            client-id sandbox, oidc-issuer https://a.test,https://b.test, sandbox-uma-domain uma.test",
      "            revision 2026-08",
      "            rate-limit 10/s",
      "state       file:.service-sim, 1,204 changes, journal 412 KiB, fsync off",
      "ledger      balanced: EUR, USD",
      "waiting     1 timer, quote.expire in 5m",
      "webhooks    http://127.0.0.1:3000/hooks, 41 accepted, 0 retrying, 0 given up",
      "            signed with key 5d0a91c7",
    ]);
    expect(formatStatus(status, whole)).toEqual(formatStatus(status, short));
  });

  test.each([
    {
      what: "a new world in memory",
      differs: {
        storage: { url: "memory:", records: 1, journalBytes: 0, fsync: false, writable: true },
        ledger: { totals: {} },
        timers: { count: 0 },
        webhooks: {
          key: "5d0a91c7",
          accepted: 0,
          waiting: 0,
          retrying: 0,
          givenUp: 0,
          undeliverable: 0,
        },
      },
      lines: [
        "state       memory:, 1 change, journal 0 KiB, fsync off",
        "ledger      empty",
        "waiting     nothing",
        "webhooks    no endpoint yet",
        "            signed with key 5d0a91c7",
      ],
    },
    {
      what: "an endpoint that was cleared",
      differs: {
        webhooks: {
          key: "5d0a91c7",
          accepted: 41,
          waiting: 0,
          retrying: 0,
          givenUp: 1,
          undeliverable: 3,
        },
      },
      lines: ["webhooks    no endpoint, 41 accepted, 1 given up, 3 not sent"],
    },
    {
      what: "an endpoint that was set late",
      differs: { webhooks: { ...status.webhooks, accepted: 2, waiting: 5, undeliverable: 3 } },
      lines: [
        "webhooks    http://127.0.0.1:3000/hooks, 2 accepted, 5 waiting, 0 retrying, 0 given up, " +
          "3 not sent",
      ],
    },
    {
      what: "storage that fails",
      differs: {
        storage: { ...status.storage, fsync: true, writable: false, why: "storage failed: ENOSPC" },
      },
      lines: [
        "state       file:.service-sim, 1,204 changes, journal 412 KiB, fsync on",
        "          ✗ read-only: storage failed: ENOSPC",
      ],
    },
    {
      what: "a start that passed a damaged checkpoint over",
      differs: {
        storage: { ...status.storage, passedOver: [{ file: "a.json", found: "no header" }] },
      },
      lines: ["          ~ damaged checkpoint skipped: no header in a.json"],
    },
    {
      what: "a broken ledger",
      differs: { ledger: { totals: { EUR: 0, USD: -5 } } },
      lines: ['ledger      NOT BALANCED, off by {"USD":-5}'],
    },
    {
      what: "a world that stopped",
      differs: { stopped: { why: "a balance is below zero", by: "payment.settle" } },
      lines: [
        "✗ stopped   0.1.0, pid 48213, up 2h14m (real time), http://127.0.0.1:4747",
        "why         a balance is below zero, at payment.settle",
      ],
    },
    {
      what: "several timers",
      differs: { timers: { count: 3, next: status.timers.next } },
      lines: ["waiting     3 timers, quote.expire in 5m"],
    },
  ])("$what shows", ({ differs, lines }) => {
    expect(formatStatus({ ...status, ...(differs as Partial<SimulatorStatus>) }, whole)).toEqual(
      expect.arrayContaining(lines),
    );
  });
});

describe("outcomes", () => {
  test("a paragraph for each trigger, a row for each ending", () => {
    const lines = formatOutcomes(outcomeGroups(), whole);
    expect(lines.slice(0, 4)).toEqual([
      "QUOTED PAYMENT  by the last 3 characters of the destination's number, IBAN or address",
      "  002    quote execution failed               FAILED at once (QUOTE_EXECUTION_FAILED), " +
        "refund PENDING at once (TRANSACTION_FAILED), refund COMPLETED after 1s",
      "  003    completes after about 6 minutes      COMPLETED after 6m",
      "  004    counterparty delivery failed         " +
        "FAILED at once (COUNTERPARTY_POST_TX_FAILED), refund PENDING at once (TRANSACTION_FAILED), refund COMPLETED after 1s",
    ]);
    const next = lines.findIndex((line) => line.startsWith("TRANSFER OUT"));
    expect(lines.slice(next - 2, next)).toEqual([
      "  other  successful payment                   COMPLETED at once",
      "",
    ]);
  });

  test("transfers, pulls and money sent to a quote have paragraphs of their own", () => {
    const lines = formatOutcomes(outcomeGroups(), whole);
    const paragraph = (title: string, count: number) => {
      const at = lines.findIndex((line) => line.startsWith(title));
      return lines.slice(at, at + count);
    };
    expect(paragraph("TRANSFER IN", 6)).toEqual([
      "TRANSFER IN  by the last 3 characters of the source's number or IBAN",
      "  002    insufficient funds, fails immediately         FAILED at once (QUOTE_EXECUTION_FAILED)",
      "  003    account closed or invalid, fails immediately  FAILED at once (QUOTE_EXECUTION_FAILED)",
      "  004    rejected by the bank                          " +
        "PROCESSING at once, FAILED at once (QUOTE_EXECUTION_FAILED)",
      "  005    stays pending about 30 seconds, then fails    FAILED after 30s (QUOTE_EXECUTION_FAILED)",
      "  other  success                                       PROCESSING at once, COMPLETED at once",
    ]);
    expect(paragraph("TRANSFER OUT", 6)[4]).toBe(
      "  005    stays pending about 30 seconds, then fails    " +
        "FAILED after 30s (QUOTE_EXECUTION_FAILED), refund PENDING after 30s (TIMEOUT), " +
        "refund COMPLETED after 31s",
    );
    expect(paragraph("QUOTE THAT PULLS ITS MONEY", 6)[5]).toBe(
      "  other  the money is collected                       COLLECTED at once, COMPLETED at once",
    );
    expect(paragraph("QUOTE FUNDED JUST IN TIME", 3)).toEqual([
      "QUOTE FUNDED JUST IN TIME  by the currencyAmount of POST /sandbox/send",
      "  mismatch  the amount received differs from the amount requested  " +
        "FAILED at once (FUNDING_AMOUNT_MISMATCH), refund PENDING at once (TRANSACTION_FAILED), " +
        "refund COMPLETED after 1s",
      "  other     the requested amount arrived                           COMPLETED at once",
    ]);
  });

  test("every row of every table is shown", () => {
    const groups = outcomeGroups();
    const rows = groups.reduce((sum, group) => sum + group.rows.length, 0);
    expect(formatOutcomes(groups, whole)).toHaveLength(rows + 2 * groups.length - 1);
  });
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Style } from "../../../src/cli/text/terminal.ts";
import { formatWhy } from "../../../src/cli/text/why-lines.ts";
import type { Story } from "../../../src/contract/control/why.ts";
import { documentOf, type RunningCli } from "../../setup/cli.ts";
import { sendSlowPayment } from "../setup/slow-payment.ts";
import { styleOn } from "../setup/styles.ts";
import { Workbench } from "../setup/workbench.ts";

const PAYMENT = "Transaction:019b8d62-a190-7000-8000-9cd07a9f3c2e";
const QUOTE = "Quote:019b8d62-0000-7000-8000-2f11aa1c07ab";
const ACCOUNT = "InternalAccount:019b8d62-0000-7000-8000-2f11aae61a90";
const WEBHOOK = "Webhook:019b8d68-27a0-7000-8000-c12f910c41d8";

const rule = {
  kind: "rule",
  rule: "quotedPayment.003",
  says: "test rule 003: completes after about 6 minutes",
} as const;

const executed = {
  kind: "request",
  id: "req-1-125",
  operation: "executeQuote",
  method: "POST",
  path: `/quotes/${QUOTE}/execute`,
} as const;

const story: Story = {
  id: PAYMENT,
  kind: "Transaction",
  type: "OUTGOING",
  status: "COMPLETED",
  sends: { amount: 25_000, currency: "USD" },
  receives: { amount: 22_911, currency: "EUR" },
  fees: { amount: 96, currency: "USD" },
  payee: { id: "ExternalAccount:1", name: "Lucie Moreau", identifier: "iban …3003" },
  chain: [
    {
      at: "2026-01-05T09:00:10.000Z",
      seq: 3,
      status: "PENDING",
      because: { kind: "request", id: "req-1-124", method: "POST", path: "/quotes" },
      effects: [],
    },
    {
      at: "2026-01-05T09:00:12.000Z",
      seq: 4,
      status: "PROCESSING",
      because: executed,
      effects: [
        { kind: "posting", account: ACCOUNT, currency: "USD", amount: -25_000, leaves: 225_000 },
        { kind: "posting", account: "Ledger:clearing", currency: "USD", amount: 25_000 },
        rule,
        { kind: "timer", timer: "payment.settle", dueAt: "2026-01-05T09:06:12.000Z" },
      ],
    },
    {
      at: "2026-01-05T09:06:12.000Z",
      seq: 5,
      status: "COMPLETED",
      because: {
        kind: "timer",
        id: `payment.settle ${PAYMENT}`,
        timer: "payment.settle",
        subject: PAYMENT,
        movedBy: "advance 6m",
        setBy: { seq: 4, at: "2026-01-05T09:00:12.000Z", because: executed },
      },
      effects: [
        rule,
        {
          kind: "webhook",
          id: WEBHOOK,
          type: "OUTGOING_PAYMENT.COMPLETED",
          state: "ACCEPTED",
          attempts: [
            { attempt: 1, at: "2026-01-05T09:06:12.000Z", status: 500, tookMs: 9 },
            { attempt: 2, at: "2026-01-05T09:06:13.000Z", status: 200, tookMs: 4 },
          ],
        },
      ],
    },
  ],
};

describe("what it prints", () => {
  let short: Style;

  beforeAll(async () => {
    short = await styleOn(true);
  });

  test("a row for each change, below it what it did", () => {
    expect(formatWhy(story, short)).toEqual([
      `${PAYMENT}    OUTGOING    COMPLETED`,
      "250.00 USD → 229.11 EUR, fee 0.96 USD, to Lucie Moreau, iban …3003",
      "09:00:10  PENDING     because POST /quotes                                 req-1-124",
      "09:00:12  PROCESSING  because POST /quotes/…1c07ab/execute                 req-1-125",
      "          ├ ledger     -250.00 USD, leaves 2,250.00 USD  InternalAccount:…e61a90",
      "          ├ rule       test rule 003: completes after about 6 minutes",
      "          └ timer      payment.settle, set for 09:06:12",
      '09:06:12  COMPLETED   because timer payment.settle, moved by "advance 6m"',
      "          └ webhook    OUTGOING_PAYMENT.COMPLETED  ✗ 500, ✓ 200  Webhook:…0c41d8",
    ]);
  });

  test("a transfer in says what it receives, though it sends nothing", () => {
    const incoming: Story = {
      id: PAYMENT,
      kind: "Transaction",
      type: "INCOMING",
      status: "FAILED",
      receives: { amount: 25_000, currency: "USD" },
      fees: { amount: 0, currency: "USD" },
      payee: { id: ACCOUNT },
      chain: [
        {
          at: "2026-01-05T09:00:10.000Z",
          seq: 3,
          status: "FAILED",
          because: { kind: "request", id: "req-1-124", method: "POST", path: "/transfer-in" },
          effects: [
            {
              kind: "rule",
              rule: "transferIn.002",
              says: "test rule 002: insufficient funds, fails immediately",
            },
          ],
        },
      ],
    };
    expect(formatWhy(incoming, short)).toEqual([
      `${PAYMENT}    INCOMING    FAILED`,
      `receives 250.00 USD, fee 0.00 USD, ${ACCOUNT}`,
      "09:00:10  FAILED  because POST /transfer-in  req-1-124",
      "          └ rule       test rule 002: insufficient funds, fails immediately",
    ]);
  });

  test("who set a timer is told where that is no row of the story", () => {
    const quote: Story = {
      id: QUOTE,
      kind: "Quote",
      status: "COMPLETED",
      chain: story.chain.slice(-1).map((step) => ({ ...step, effects: [] })),
    };
    expect(formatWhy(quote, short)).toEqual([
      `${QUOTE}    Quote    COMPLETED`,
      '09:06:12  COMPLETED  because timer payment.settle, moved by "advance 6m"',
      "          └ set by     POST /quotes/…1c07ab/execute  req-1-125, at 09:00:12",
    ]);
  });

  test("where knowledge ends is said", () => {
    const [, , step] = story.chain;
    const lines = formatWhy(
      {
        id: PAYMENT,
        kind: "Transaction",
        ends: "only the last 16 changes are remembered",
        chain: [
          {
            at: "2026-01-04T09:06:12.000Z",
            because: {
              kind: "timer",
              id: "payment.settle x",
              timer: "payment.settle",
              ends: "the change that set it is no longer kept",
            },
            effects: [],
          },
          {
            ...(step as Story["chain"][number]),
            because: { kind: "world", id: "open" },
            effects: [],
          },
        ],
      },
      short,
    );
    expect(lines.slice(1)).toEqual([
      "- only the last 16 changes are remembered",
      "01-04 09:06:12             because timer payment.settle",
      "                └ ends       the change that set it is no longer kept",
      "01-05 09:06:12  COMPLETED  because the world was opened",
    ]);
  });

  test("the ledger's own accounts are told of in their own story", () => {
    const [, step] = story.chain;
    const lines = formatWhy(
      { id: "Ledger:clearing", kind: "Ledger", chain: [step as Story["chain"][number]] },
      short,
    );
    expect(lines).toContain("          ├ ledger     +250.00 USD  Ledger:clearing");
  });
});

describe("with a simulator", () => {
  let place: Workbench;
  let simulator: RunningCli;
  let payment: { id: string; transactionId: string };

  beforeAll(async () => {
    place = new Workbench();
    simulator = await place.start("--clock manual --now 2026-01-05T09:00:00Z --seed 7");
    payment = await sendSlowPayment(simulator);
  });

  afterAll(() => place.close());

  test("a payment is explained, by its short id too", async () => {
    const { transactionId } = payment;
    for (const id of [transactionId, transactionId.slice(-6)]) {
      const { code, stdout, stderr } = await place.run(`why ${id}`);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toContain(`${transactionId}    OUTGOING    PROCESSING\n`);
      expect(stdout).toContain("rule       test rule 003: completes after about 6 minutes\n");
    }
  });

  test("--json is the control surface's reply", async () => {
    const { body } = await simulator.control("GET", `/why/${payment.id}`);
    expect(documentOf(await place.run(`why ${payment.id} --json`))).toEqual(body);
  });

  test("an id of nothing exits 1 and says what to do", async () => {
    expect(await place.run("why Transaction:…0000aa")).toEqual({
      code: 1,
      signal: null,
      stdout: "",
      stderr:
        "error  Expected an id of world sandbox but found none ending in 0000aa\n" +
        "next   service-sim requests      shows the calls with their ids\n",
    });
  });

  test("a short id that fits several names them and exits 1", async () => {
    const { body: accounts } = await simulator.call("GET", "/platform/internal-accounts");
    const { customerId } = (await simulator.call("GET", `/transactions/${payment.transactionId}`))
      .body;
    const opened: string[] = accounts.data.map(({ id }: { id: string }) => id);
    const open = async () => {
      const input = { customerId, currency: "USD", suffix: "123" };
      return (await simulator.control("POST", "/internal-accounts", input)).body.id as string;
    };
    const sharesTail = () => {
      const newest = opened.at(-1) ?? "";
      return opened.slice(0, -1).find((id) => id.slice(-4) === newest.slice(-4));
    };
    while (!sharesTail()) opened.push(await open());
    const newest = opened.at(-1) ?? "";
    const { code, stderr } = await place.run(`why ${newest.slice(-4)}`);
    expect(code).toBe(1);
    expect(stderr).toContain(newest);
    expect(stderr).toContain(sharesTail());
  });
});

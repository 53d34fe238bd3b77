import { beforeAll, describe, expect, test } from "vitest";
import { formatApprovals } from "../../../src/cli/commands/approvals/list.ts";
import { formatExplanation } from "../../../src/cli/commands/policy/explain.ts";
import { formatDecided } from "../../../src/cli/tasks/decided.ts";
import type { Style } from "../../../src/cli/text/terminal.ts";
import type {
  Decided,
  WaitingAction,
  WaitingActions,
} from "../../../src/contract/control/approvals.ts";
import { documentOf } from "../../setup/cli.ts";
import { Receiver } from "../../setup/receiver.ts";
import type { Parsed } from "../../setup/test-simulator.ts";
import { benchPerTest } from "../setup/place-per-test.ts";
import { styleAt, styleOn } from "../setup/styles.ts";

let short: Style;

beforeAll(async () => {
  short = await styleOn(true);
});

const ACTION = "AgentAction:019b8d61-af60-7000-8000-74d27fe2d4c8";

const waiting = {
  id: ACTION,
  agentId: "Agent:019b8d61-af60-7000-8000-74d27f000001",
  agentName: "Invoice bot",
  type: "TRANSFER_OUT",
  status: "PENDING_APPROVAL",
  amount: 32_500,
  currency: "USD",
  to: { id: "ExternalAccount:019b8d61-af60-7000-8000-74d27f000002", name: "Hugo Brandt" },
  waitsMs: 432_000,
  because: { rule: "approvalThreshold", limit: 20_000, value: 32_500, currency: "USD" },
  action: {} as never,
} satisfies WaitingAction;

const reply = (data: WaitingAction[]): WaitingActions => ({
  data,
  hasMore: false,
  totalCount: data.length,
  mode: "ask",
});

const ALL = { line: "service-sim approvals list", isFiltered: false };

describe("what they print", () => {
  test("list: what waits, since when, and why", () => {
    expect(formatApprovals(reply([waiting]), ALL, short)).toEqual(
      [
        "WAITS  ACTION                AGENT        WHAT              AMOUNT  TO",
        "7m12s  AgentAction:…e2d4c8  Invoice bot  TRANSFER_OUT  325.00 USD  Hugo Brandt",
        "       ! above the approval threshold of 200.00 USD",
      ].map((line, at) => (at === 0 ? line.replace("ACTION  ", "ACTION ") : line)),
    );
    expect(formatApprovals(reply([]), ALL, short)).toEqual(["no actions wait for approval"]);
  });

  test.each([
    { because: { rule: "executionMode" }, says: "! its execution mode is APPROVAL_REQUIRED" },
    { because: { rule: "dailyLimit" }, says: "! decided by dailyLimit" },
  ])("list: $says", ({ because, says }) => {
    expect(formatApprovals(reply([{ ...waiting, because }]), ALL, short)[2]).toBe(`       ${says}`);
  });

  test("list: at 60 columns the row stays one line, with the payee", async () => {
    const long = { ...waiting, waitsMs: 988_000, to: { ...waiting.to, name: "王小明 ".repeat(9) } };
    expect(formatApprovals(reply([long as WaitingAction]), ALL, await styleAt(60))).toEqual([
      "WAITS   ACTION                   AMOUNT  TO",
      "16m28s  AgentAction:…e2d4c8  325.00 USD  王小明 王小明 王小…",
      "        ! above the approval threshold of 200.00 USD",
    ]);
  });

  test("list: how to see older ones", () => {
    const page = { ...reply([waiting]), totalCount: 3, hasMore: true, nextCursor: "abc" };
    expect(formatApprovals(page, ALL, short).at(-1)).toBe(
      "older: service-sim approvals list --cursor abc",
    );
  });

  const decided = {
    action: { id: ACTION, status: "APPROVED" } as Decided["action"],
    transaction: {
      id: "Transaction:019b8d61-af60-7000-8000-74d27f4ae9b0",
      status: "COMPLETED",
      path: ["PENDING", "PROCESSING", "COMPLETED"],
    },
    balances: [
      {
        accountId: "InternalAccount:019b8d61-af60-7000-8000-74d27fe61a90",
        currency: "USD",
        before: 225_000,
        after: 192_500,
      },
    ],
    webhooks: [
      { type: "OUTGOING_PAYMENT.PENDING", status: 200, state: "ACCEPTED" },
      { type: "OUTGOING_PAYMENT.PROCESSING", status: 500, state: "RETRYING" },
      { type: "OUTGOING_PAYMENT.COMPLETED", status: null, state: "UNDELIVERABLE" },
    ] as Decided["webhooks"],
  } satisfies Decided;

  test("approve: the payment, the balance, the webhooks", () => {
    expect(formatDecided(decided, "APPROVED", short)).toEqual([
      "✓ AgentAction:…e2d4c8 is APPROVED",
      "  Transaction:…4ae9b0      PENDING → PROCESSING → COMPLETED",
      "  InternalAccount:…e61a90  2,250.00 USD → 1,925.00 USD",
      "  3 webhooks               ✓ 1 accepted, ~ 1 not accepted yet, - 1 not sent, no endpoint",
    ]);
  });

  test("approve: why it failed", () => {
    const { transaction: _none, ...rest } = decided;
    const failed = {
      ...rest,
      action: { id: ACTION, status: "FAILED" } as Decided["action"],
      because: { reason: "QUOTE_EXPIRED", says: "The quote expired at noon" },
      balances: [],
      webhooks: [],
    };
    expect(formatDecided(failed, "APPROVED", short)).toEqual([
      "✗ AgentAction:…e2d4c8 is FAILED: The quote expired at noon (QUOTE_EXPIRED)",
    ]);
  });

  test("explain: each row, the one that decided marked as what it decided", () => {
    const lines = formatExplanation(
      {
        decision: "deny",
        decidedBy: "accountRestriction",
        checks: [
          { name: "paused", passed: true, limit: false, value: false },
          { name: "permission", passed: true, limit: ["CREATE_TRANSFERS"], value: ["X"] },
          { name: "accountRestriction", passed: false, limit: [], value: ["A"] },
          { name: "perTransactionLimit", passed: false, limit: 100, value: 101, currency: "USD" },
          { name: "dailyTransactionLimit", passed: true, value: 1 },
          { name: "dailyLimit", passed: true, limit: 200, value: 101, currency: "USD" },
          {
            name: "monthlyLimit",
            passed: false,
            limit: 9_000_000_000_000_000,
            value: "155249999999999983",
            currency: "MXN",
          },
          { name: "approvalThreshold", passed: true },
          { name: "executionMode", passed: false, limit: "AUTO", value: "APPROVAL_REQUIRED" },
        ],
      },
      short,
    );
    expect(lines).toEqual([
      "✗ deny: it would be refused with 403, decided by accountRestriction",
      "✓ paused                 not paused",
      "✓ permission             has CREATE_TRANSFERS",
      "✗ accountRestriction     A, not in none",
      "- perTransactionLimit    1.01 USD is above 1.00 USD",
      "✓ dailyTransactionLimit  1, none set",
      "✓ dailyLimit             1.01 USD of 2.00 USD",
      "- monthlyLimit           1,552,499,999,999,999.83 MXN is above 90,000,000,000,000.00 MXN",
      "✓ approvalThreshold      none set",
      "- executionMode          APPROVAL_REQUIRED, not AUTO",
    ]);
  });
});

describe("on a simulator of its own", () => {
  const place = benchPerTest();

  const waitingOf = async (): Promise<Parsed> => {
    const { data } = documentOf(await place().run("approvals list --json"));
    return data[0];
  };

  test("an agent's action is found, explained, approved, and seen in webhooks", async () => {
    const receiver = await new Receiver().start();
    try {
      const cli = await place().start(
        `--fixture agent-demo --clock manual --webhook-endpoint ${receiver.url}`,
      );
      const found = await waitingOf();
      expect(found).toMatchObject({ amount: 32_500, to: { name: "Hugo Brandt" } });
      expect(cli.ready.port).toBeGreaterThan(0);
      const explained = await place().run(
        `policy explain ${found.agentId.slice(-6)} --amount 50001 --to ${found.to.id} --json`,
      );
      expect(documentOf(explained)).toMatchObject({
        decision: "deny",
        decidedBy: "perTransactionLimit",
      });
      const { body: status } = await cli.control("GET", "/status");
      expect(status.approvals).toEqual({ count: 1, oldestWaitsMs: 432_000 });
      const approved = await place().run(`approvals approve ${found.id.slice(-6)} --json`);
      expect(approved.code).toBe(0);
      expect(documentOf(approved)).toMatchObject({
        action: { id: found.id, status: "APPROVED" },
        transaction: { status: "COMPLETED" },
      });
      expect(receiver.types()).toContain("AGENT_ACTION.PENDING_APPROVAL");
      const again = await place().run(`approvals approve ${found.id}`);
      expect(again.code).toBe(1);
      expect(again.stderr).toContain(`The action ${found.id} is already APPROVED`);
      expect((await place().run("approvals list")).stdout).toBe("no actions wait for approval\n");
    } finally {
      await receiver.stop();
    }
  });

  test("reject takes a reason; a failed approval is exit code 1", async () => {
    const cli = await place().start("--fixture agent-demo --clock manual");
    const { id, agentId } = await waitingOf();
    await cli.call("PATCH", `/agents/${agentId}`, { isPaused: true });
    const failed = await place().run(`approvals approve ${id}`);
    expect(failed.code).toBe(1);
    expect(failed.stdout).toBe(
      `✗ ${id} is FAILED: The agent ${agentId} is paused (AGENT_PAUSED)\n`,
    );
    await cli.control("POST", "/seed", { name: "agent-demo" });
    const other = await waitingOf();
    const rejected = await place().run([
      ...["approvals", "reject", other.id, "--json"],
      ...["--reason", "not this supplier"],
    ]);
    expect(documentOf(rejected).action).toMatchObject({
      status: "REJECTED",
      rejectionReason: "not this supplier",
    });
  });

  test("--auto-approve decides at once; with --auto-reject it is wrong usage", async () => {
    await place().start("--fixture agent-demo --clock manual --auto-approve");
    expect((await place().run("approvals list")).stdout).toBe("no actions wait for approval\n");
    expect((await place().run("approvals mode")).stdout).toBe(
      "approve  actions that would wait are approved at once\n",
    );
    const set = await place().run("approvals mode ask --json");
    expect(documentOf(set)).toEqual({ mode: "ask" });
    expect((await place().run("approvals mode never")).code).toBe(2);
    const both = await place().run("start --auto-approve --auto-reject --storage memory:");
    expect(both).toMatchObject({ code: 2 });
    expect(both.stderr).toContain("--auto-approve cannot be used with --auto-reject");
  });

  test.each([
    { words: "policy explain 123456", says: "say what to explain: --amount or --quote" },
    { words: "policy explain 123456 --amount 3.50", says: 'but found "3.50"' },
  ])("$words is wrong usage", async ({ words, says }) => {
    const { code, stderr } = await place().run(words);
    expect(code).toBe(2);
    expect(stderr).toContain(says);
  });

  test("policy rows prints the table without a simulator", async () => {
    const { data } = documentOf(await place().run("policy rows --json"));
    expect(data.map(({ name, otherwise }: Parsed) => `${name} ${otherwise}`)).toEqual([
      "paused deny",
      "permission deny",
      "accountRestriction deny",
      "perTransactionLimit deny",
      "dailyTransactionLimit deny",
      "dailyLimit deny",
      "monthlyLimit deny",
      "approvalThreshold ask",
      "executionMode ask",
    ]);
    const { stdout } = await place().run("policy rows");
    expect(stdout.split("\n")[1]).toBe(
      "paused                 deny: AGENT_PAUSED                      the agent is not paused",
    );
  });
});

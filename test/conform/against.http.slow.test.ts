import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { compareAgainst } from "../../src/cli/tasks/against.ts";
import { callsOf, notComparable } from "../../src/cli/tasks/compared-scenario.ts";
import { readMeant } from "../../src/conform/differences-meant.ts";
import { FIRST_REVISION } from "../../src/contract/core/revision-names.ts";
import { bundledScenarios, openScenario } from "../../src/scripts/script-files.ts";
import { stepsIn } from "../../src/scripts/step-revisions.ts";
import { OWN_SCENARIO, PLANTED } from "./setup/planted-differences.ts";
import { SecondInstance } from "./setup/second-instance.ts";

const NOW = "2026-01-05T09:00:00.000Z";
const TEN_MINUTES_MS = 600_000;

const PLAYABLE = [
  "bank-return",
  "bulk",
  "card-life",
  "failed-and-refunded",
  "just-in-time",
  "kyb",
  "passkey",
  "payout",
];

let folder: string;
let theirs: SecondInstance;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "against-"));
  writeFileSync(join(folder, "own.json"), JSON.stringify(OWN_SCENARIO, null, 2));
});

afterAll(() => rmSync(folder, { recursive: true }));

beforeEach(async () => {
  theirs = await SecondInstance.open("another", NOW);
});

afterEach(() => theirs.close());

const opened = (name: string) => openScenario(name === "own" ? join(folder, "own.json") : name);

const compared = async (name: string, ignore = "") => {
  const options = { now: NOW, meant: readMeant(ignore) };
  const [one] = await compareAgainst([await opened(name)], theirs, options);
  return one;
};

/** Has the second instance answer a step of a scenario otherwise. */
const plant = async ({ scenario, step, status, change }: (typeof PLANTED)[number]) => {
  const { steps } = (await opened(scenario)).scenario;
  const played = stepsIn(steps, FIRST_REVISION).map((one) => one.step);
  const call = played.slice(0, step).filter((one) => "request" in one).length;
  theirs.plant = (answer) =>
    theirs.calls.length === call
      ? {
          status: status ?? answer.status,
          body: change ? change(structuredClone(answer.body)) : answer.body,
        }
      : answer;
};

// spec/conform.md#against
describe("a second instance with another seed", () => {
  test.each([...PLAYABLE, "own"])("shows no difference in %s", async (name) => {
    const one = await compared(name);
    expect(one?.difference).toEqual(undefined);
    expect(one).toMatchObject({ ok: true, meant: [] });
    expect(one?.compared).toBe(theirs.calls.length);
  });

  test.each(PLANTED)("is found out by $says: $scenario, step $step", async (planted) => {
    await plant(planted);
    const { ok, difference } = (await compared(planted.scenario)) ?? {};
    expect(ok).toBe(false);
    expect([difference?.step, difference?.path]).toEqual([planted.step, planted.path]);
    expect(difference?.ours).not.toBe(difference?.theirs);
  });

  test("is asked nothing after its first difference", async () => {
    theirs.plant = (answer) => ({ ...answer, status: 500 });
    const one = await compared("payout");
    expect(one?.difference).toMatchObject({
      ...{ step: 1, name: "ada", did: "POST /customers", path: "status" },
      ...{ ours: "201", theirs: "500" },
    });
    expect(theirs.calls).toEqual(["POST /customers"]);
  });

  test("may differ where that is meant, and the next difference is told", async () => {
    theirs.plant = (answer, { path }) =>
      path === "/quotes"
        ? { ...answer, body: { ...answer.body, exchangeRate: 1, feesIncluded: 7 } }
        : answer;
    const rate = "POST /quotes 201 /exchangeRate # rates of a market";
    const one = await compared("payout", rate);
    expect(one).toMatchObject({ ok: false, meant: ["rates of a market"] });
    expect(one?.difference?.path).toBe("/feesIncluded");
    const both = await compared("payout", `${rate}\nPOST /quotes 201 /feesIncluded # their fees`);
    expect(both).toMatchObject({
      ok: true,
      meant: expect.arrayContaining(["their fees", "rates of a market"]),
    });
  });

  test("shows no secret in what it tells", async () => {
    theirs.plant = (answer, { path }) => {
      if (!path.endsWith("/verify")) return answer;
      const { encryptedSessionSigningKey: _, ...rest } = answer.body;
      return { ...answer, body: { ...rest, encryptedSessionSigningKey: 7 } };
    };
    expect((await compared("passkey"))?.difference).toMatchObject({
      ...{ path: "/encryptedSessionSigningKey", ours: "[redacted]", theirs: "[redacted]" },
    });
  });

  test("may say its sentences in its own words", async () => {
    theirs.plant = (answer) =>
      answer.status >= 400
        ? { ...answer, body: { ...answer.body, message: "Nope", details: { hint: 1 } } }
        : answer;
    expect(await compared("own")).toMatchObject({ ok: true });
  });
});

// spec/conform.md#against
describe("a scenario", () => {
  const whyNot = async (name: string, maxWaitMs = TEN_MINUTES_MS) =>
    notComparable(await opened(name), { maxWaitMs });

  test("of the package can be compared, or it is said why not", async () => {
    const reasons = Object.fromEntries(
      await Promise.all(bundledScenarios().map(async (name) => [name, await whyNot(name)])),
    );
    expect(Object.keys(reasons).filter((name) => reasons[name] === undefined)).toEqual(PLAYABLE);
    expect(reasons).toMatchObject({
      "agent-approval": expect.stringContaining("only a simulator has PUT /_sim/approvals"),
      chaos: expect.stringContaining("only a simulator reaches a receiver here"),
      wallet: expect.stringContaining("only a simulator has GET /_sim/inbox"),
    });
  });

  test("is not waited for longer than is allowed", async () => {
    expect(await whyNot("payout", 360_000)).toBeUndefined();
    expect(await whyNot("payout", 359_000)).toMatch(/^line \d+: the other side would wait 6m/);
  });

  test("tells its calls as the file writes them", async () => {
    const calls = callsOf(await opened("payout"));
    expect(calls[0]).toMatch(/^POST \/customers {2}\{"customerType"/);
    expect(calls).toContain("wait 6m");
    expect(calls).toHaveLength(8);
  });
});

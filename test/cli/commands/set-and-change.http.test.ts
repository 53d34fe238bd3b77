import { afterEach, beforeEach, expect, test } from "vitest";
import { createBank, transferInput } from "../../setup/banks.ts";
import { createPayee, createPayer, quoteInput } from "../../setup/platform.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { runInProcess } from "../setup/in-process.ts";

let world: TestSimulator;
let url: string;

beforeEach(async () => {
  world = await startTestSimulator();
  ({ url } = await world.sim.listen());
});

afterEach(async () => {
  await world.sim.close();
});

const run = (words: string) => runInProcess([...words.split(" "), "--url", url]);

const quoted = async (): Promise<string> => {
  const { customerId, accountId } = await createPayer(world);
  const payee = await createPayee(world, customerId, "999");
  return (await world.call("POST", "/quotes", quoteInput(accountId, payee))).body.id;
};

test("outcomes next sets a row, lists what is set, and outcomes lift lifts it", async () => {
  const { customerId, accountId } = await createPayer(world);
  const set = await run(`outcomes next transferOut.005 --for ${customerId} --times 2`);
  expect(set).toMatchObject({ code: 0, stderr: "" });
  const [, row = ""] = set.stdout.split("\n");
  expect(row).toMatch(/^NextOutcome:\S+ {2}transferOut\.005 {2}2 +Customer:\S+ {2}stays pending/);
  const bank = await createBank(world, customerId, "999");
  const body = transferInput(accountId, bank, 5);
  const answer = await world.call("POST", "/transfer-out", body);
  expect(answer.headers.get("x-sim-rule")).toBe("transferOut.005");
  const listed = JSON.parse((await run("outcomes next --json")).stdout);
  expect(listed.data).toMatchObject([{ rule: "transferOut.005", for: customerId, times: 1 }]);
  expect((await run("outcomes lift")).stdout).toBe("✓ 1 outcome removed\n");
  expect((await run("outcomes next")).stdout).toBe("no outcome is set\n");
});

test.each([
  {
    words: "outcomes next transferOut.05",
    code: 2,
    says: "No outcome transferOut.05; the closest ones are transferOut.005",
    next: "service-sim outcomes next transferOut.005",
  },
  {
    words: "outcomes next umaLookup.person",
    code: 2,
    says: "umaLookup.person cannot be set: an address is found only if somebody has it",
    next: "service-sim outcomes next umaLookup.unknown",
  },
  {
    words: "outcomes next --times 2",
    code: 2,
    says: "say which outcome, for example: outcomes next quotedPayment.003",
    next: "service-sim outcomes",
  },
  {
    words: "outcomes next transferOut.005 --times two",
    code: 2,
    says: 'Expected --times to be a whole number but found "two"',
    next: "service-sim outcomes next --help",
  },
  {
    words: "timers postpone 8e4b17",
    code: 2,
    says: "say how long, for example: 10m; or the instant with --to",
    next: "service-sim timers postpone quote.expire@8e4b17 10m",
  },
  {
    words: "timers fire quote.expire",
    code: 1,
    says: "Expected a timer but found none called quote.expire",
    next: "service-sim timers",
  },
])("$words is told how it would be right", async ({ words, says, next }) => {
  const { code, stdout, stderr } = await run(words);
  expect({ isDone: code === 0, stdout }).toEqual({ isDone: false, stdout: "" });
  expect(stderr).toContain(`error  ${says}`);
  expect(stderr).toContain(`next   ${next}`);
});

test("timers fire, postpone and cancel one; timers tells what was canceled", async () => {
  const [one, other] = [await quoted(), await quoted()];
  expect((await run(`timers fire quote.expire@${one}`)).stdout).toBe(
    `✓ quote.expire ${one}: PENDING → EXPIRED\n`,
  );
  expect((await run(`timers postpone ${other} 10m`)).stdout).toBe(
    `✓ quote.expire ${other} is due 2026-01-05 09:15:00Z, instead of 2026-01-05 09:05:00Z\n`,
  );
  const at = await run(`timers postpone ${other} --to 2026-01-05T09:30:00Z --quiet`);
  expect(at.stdout).toBe("2026-01-05T09:30:00.000Z\n");
  const leaves = `${other} stays PENDING: it will not expire`;
  expect((await run(`timers cancel ${other}`)).stdout).toContain(
    `✓ quote.expire canceled\n${leaves}\n`,
  );
  expect((await run("timers")).stdout).toBe(
    `no pending timers\nquote.expire canceled: ${leaves}\n`,
  );
  expect((await run(`why ${other}`)).stdout).toContain("quote.expire, canceled");
});

test("the words timers and outcomes alone run, with options and operands", async () => {
  expect(await run("timers")).toEqual(await run("timers list"));
  expect((await run("--json timers")).stdout).toBe((await run("timers list --json")).stdout);
  expect(await runInProcess(["outcomes", "transferOut.005"])).toEqual(
    await runInProcess(["outcomes", "list", "transferOut.005"]),
  );
});

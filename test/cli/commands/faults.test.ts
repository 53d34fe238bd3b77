import { beforeAll, describe, expect, test } from "vitest";
import { formatFaults } from "../../../src/cli/commands/faults/list.ts";
import type { Style } from "../../../src/cli/text/terminal.ts";
import { documentOf } from "../../setup/cli.ts";
import { benchPerTest } from "../setup/place-per-test.ts";
import { styleOn } from "../setup/styles.ts";

let short: Style;

beforeAll(async () => {
  short = await styleOn(true);
});

const fault = (differs: object) => ({
  id: "Fault:019b8d61-af60-7000-8000-74d27f3f9c2e",
  match: {},
  fault: { status: 503 },
  seen: 3,
  struck: 2,
  createdAt: "2026-01-05T09:00:00.000Z",
  ...differs,
});

test.each([
  { one: {}, row: "answers 503       2 of 3 calls  any operation, every call" },
  {
    one: {
      match: { operation: "createQuote", times: 2 },
      fault: { status: 503, code: "INTERNAL_ERROR" },
    },
    row: "answers 503 INTERNAL_ERROR  2 of 3 calls  createQuote, the first 2",
  },
  {
    one: { fault: { status: 409, shouldRetry: true } },
    row: "answers 409 with x-should-retry true  2 of 3 calls  any operation, every call",
  },
  {
    one: { match: { path: "/quotes", nth: 2 }, fault: { dropResponse: true as const } },
    row: "drops the response  2 of 3 calls  /quotes, call 2",
  },
  {
    one: {
      match: { nth: 2, times: 3, probability: 0.5 },
      fault: { latencyMs: 50, closeSocket: true as const },
    },
    row: "waits 50 ms, closes the connection  2 of 3 calls  any operation, from call 2 on, 3 of them, with probability 0.5",
  },
  {
    one: { match: { from: "2026-01-05T10:00:00Z", until: "2026-01-05T11:00:00Z" } },
    row: "answers 503  2 of 3 calls  any operation, every call, from 2026-01-05 10:00:00Z, until 2026-01-05 11:00:00Z",
  },
  {
    one: { match: { times: 2 }, seen: 0, struck: 0 },
    row: "answers 503  no call yet  any operation, the first 2",
  },
  { one: { seen: 1, struck: 1 }, row: "answers 503  1 of 1 call  any operation, every call" },
])("a row reads $row", ({ one, row }) => {
  const [, ...lines] = formatFaults({ data: [fault(one)] }, short);
  const [, ...words] = lines.join(" ").split(/\s+/);
  expect(words.join(" ")).toBe(row.replace(/\s+/g, " "));
});

test("none is said so", () => {
  expect(formatFaults({ data: [] }, short)).toEqual(["no active faults"]);
});

describe("on a simulator of its own", () => {
  const place = benchPerTest();

  test("a fault is added, strikes, is listed and cleared", async () => {
    const cli = await place().start("--clock manual");
    const words = "faults add --operation getConfig --status 503 --times 1 --json";
    const added = documentOf(await place().run(words));
    expect(added).toMatchObject({
      match: { operation: "getConfig", times: 1 },
      fault: { status: 503 },
    });
    expect((await cli.call("GET", "/config")).status).toBe(503);
    expect((await cli.call("GET", "/config")).status).toBe(200);
    const { data } = documentOf(await place().run("faults list --json"));
    expect(data).toMatchObject([{ id: added.id, seen: 2, struck: 1 }]);
    const cleared = await place().run(`faults clear ${added.id.slice(-6)}`);
    expect(cleared).toMatchObject({ code: 0, stdout: "✓ 1 fault removed\n" });
    expect((await place().run("faults list")).stdout).toBe("no active faults\n");
    const retried = await place().run("faults add --status 409 --should-retry true --json");
    expect(documentOf(retried).fault).toEqual({ status: 409, shouldRetry: true });
    const lost = await place().run("faults add --path /quote/{id} --status 500");
    expect(lost.code).toBe(2);
    expect(lost.stderr).toContain("the closest one is GET /quotes/{quoteId}");
  });

  test.each([
    { words: "faults add", says: "say what the fault does" },
    {
      words: "faults add --status 409 --should-retry maybe",
      says: 'Expected --should-retry to be true or false but found "maybe"',
    },
    { words: "faults add --status x", says: 'Expected --status to be a number but found "x"' },
  ])("$words is wrong usage", async ({ words, says }) => {
    await place().start("--storage memory:");
    const { code, stderr } = await place().run(words);
    expect(code).toBe(2);
    expect(stderr).toContain(says);
  });
});

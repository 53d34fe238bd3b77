import { expect, test } from "vitest";
import { type Column, tableOf } from "../../../src/cli/text/table.ts";
import { fitted } from "../../../src/cli/text/wrap.ts";
import { cutPath } from "../../../src/text/cells.ts";
import { instantsAmong } from "../../../src/text/layout.ts";

const screen = (width: number) => ({ width, isAscii: false });

test.each([
  {
    what: "a line that fits stays",
    line: "world       sandbox",
    lines: ["world       sandbox"],
  },
  {
    what: "a text is wrapped below itself, beside its label",
    line: "state       file:.service-sim, 52 records, fsync off",
    lines: ["state       file:.service-sim, 52", "            records, fsync off"],
  },
  {
    what: "a text is wrapped below its mark",
    line: "✓ 3 timers fired, 2 webhooks accepted, 0 open",
    lines: ["✓ 3 timers fired, 2 webhooks accepted, 0", "  open"],
  },
  {
    what: "color codes take no room",
    line: `\u001b[2mlabel\u001b[22m       ${"ab ".repeat(9)}`.trimEnd(),
    lines: [`\u001b[2mlabel\u001b[22m       ${"ab ".repeat(9)}`.trimEnd()],
  },
  {
    what: "one word is never divided",
    line: `Transaction:${"0".repeat(40)}`,
    lines: [`Transaction:${"0".repeat(40)}`],
  },
  {
    what: "a script without spaces is wrapped between its letters, two cells each",
    line: "日本語日本語日本語日本語日本語日本語日本語",
    lines: ["日本語日本語日本語日本語日本語日本語日本", "  語"],
  },
  {
    what: "the remark of a command stands below it",
    line: "next   service-sim start --port 0    takes any free port",
    lines: ["next   service-sim start --port 0", "           takes any free port"],
  },
  {
    what: "a command continues behind a backslash, and quotes hold a word together",
    line: "next   service-sim advance --until 'a b'=COMPLETED --budget 5000",
    lines: ["next   service-sim advance --until \\", "         'a b'=COMPLETED --budget 5000"],
  },
  {
    what: "a member of JSON may stand below its name",
    line: '  "description": "invoice of last month",',
    lines: ['  "description":', '    "invoice of last month",'],
  },
  {
    what: "a JSON string is never divided",
    line: '  "a text of JSON that is wider than a line",',
    lines: ['  "a text of JSON that is wider than a line",'],
  },
])("$what", ({ line, lines }) => {
  expect(fitted(line, 40)).toEqual(lines);
});

const COLUMNS: readonly Column[] = [
  { head: "AT" },
  { head: "TO", as: "text" },
  { head: "PATH", as: "path", least: 20 },
  { head: "TOOK", leaves: 1 },
  { head: "RESULT", as: "words", least: 12 },
];

const ROWS = [
  [
    "09:00",
    "株式会社みずほ国際",
    "/quotes/…1c07ab/execute/now",
    "6 ms",
    "✓ 200, attempt 2, duplicate",
  ],
];

test.each([
  {
    what: "as it is where it fits",
    width: 100,
    lines: [
      "09:00  株式会社みずほ国際  /quotes/…1c07ab/execute/now  6 ms  ✓ 200, attempt 2, duplicate",
    ],
  },
  {
    what: "with words wrapped first, since nothing is lost",
    width: 80,
    lines: [
      "09:00  株式会社みずほ国際  /quotes/…1c07ab/execute/now  6 ms  ✓ 200, attempt 2,",
      "                                                              duplicate",
    ],
  },
  {
    what: "then with texts and paths cut",
    width: 60,
    lines: [
      "09:00  株式会社…   /quotes/…/execute/now  6 ms  ✓ 200,",
      "                                                attempt 2,",
      "                                                duplicate",
    ],
  },
])("a table is $what", ({ width, lines }) => {
  const { rows } = tableOf(COLUMNS, ROWS, screen(width));
  expect(rows.flat()).toEqual(lines);
});

test("words that have no room beside a row stand below it", () => {
  const { head, rows } = tableOf(
    [{ head: "TYPE" }, { head: "ID" }, { head: "RESULT", as: "words" }],
    [
      ["INTERNAL_ACCOUNT.BALANCE_UPDATED", "…0c41d8", "✓ 409, duplicate"],
      ["TEST", "…0c41d9", "✓ 200"],
    ],
    screen(48),
  );
  expect(head).toBe("TYPE                              ID");
  expect(rows).toEqual([
    [
      "INTERNAL_ACCOUNT.BALANCE_UPDATED  …0c41d8",
      `${" ".repeat(34)}✓ 409,`,
      `${" ".repeat(34)}duplicate`,
    ],
    ["TEST                              …0c41d9  ✓ 200"],
  ]);
});

test("on a terminal with ASCII alone the mark of a cut is two dots, and counted so", () => {
  const { rows } = tableOf([{ as: "text" }, {}], [["a long free text", "…0c41d8"]], {
    width: 20,
    isAscii: true,
  });
  expect(rows).toEqual([["a long f..  ..0c41d8"]]);
});

test.each([
  { path: "POST /quotes/…1c07ab/execute", width: 24, shown: "POST /quo…1c07ab/execute" },
  { path: "POST /customers/external-accounts", width: 24, shown: "POST /cust…rnal-accounts" },
  { path: "GET /config", width: 24, shown: "GET /config" },
])("$path in $width cells keeps its id and its end", ({ path, width, shown }) => {
  expect(cutPath(path, width, screen(width))).toBe(shown);
});

test.each([
  { others: [], shown: "09:06:12" },
  { others: ["2026-01-05T23:59:59.000Z"], shown: "09:06:12" },
  { others: ["2026-01-06T00:00:00.000Z"], shown: "01-05 09:06:12" },
  { others: ["2027-01-05T09:06:12.000Z", undefined], shown: "2026-01-05 09:06:12" },
])("among $others an instant is $shown", ({ others, shown }) => {
  const iso = "2026-01-05T09:06:12.000Z";
  expect(instantsAmong([iso, ...others])(iso)).toBe(shown);
});

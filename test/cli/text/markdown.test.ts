import { expect, test } from "vitest";
import { markdownLines } from "../../../src/cli/text/markdown.ts";
import { plainStyle } from "../../../src/cli/text/terminal.ts";

const linesOf = (text: string, width = 40) => markdownLines(text, plainStyle(), width);

test("paragraphs are wrapped, headings and code keep their lines", () => {
  const text =
    "# Quotes\n\nA quote locks the amounts of one payment\nfor `5 minutes`; see [expiry](#expiry).\n\n```sh\nservice-sim docs quotes\n```\n";
  expect(linesOf(text)).toEqual([
    "Quotes",
    "",
    "A quote locks the amounts of one payment",
    "for `5 minutes`; see expiry.",
    "",
    "    service-sim docs quotes",
  ]);
});

test("lists keep their marks, and lines below an item are indented", () => {
  expect(
    linesOf("1. one\n2. two that is a little longer than a line can be\n   - inner\n"),
  ).toEqual(["1. one", "2. two that is a little longer than a", "   line can be", "   - inner"]);
});

test("the last column of a table is wrapped, the others are aligned", () => {
  const text =
    "| Field | Meaning |\n|---|---|\n| `id` | names the quote in all later calls |\n| `status` | one |\n";
  expect(linesOf(text)).toEqual([
    "Field     Meaning",
    "`id`      names the quote in all later",
    "          calls",
    "`status`  one",
  ]);
});

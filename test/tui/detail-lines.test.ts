import { describe, expect, test } from "vitest";
import { span } from "../../src/rows/span.ts";
import { cutEnd } from "../../src/text/text-width.ts";
import { amountLines } from "../../src/tui/amount-lines.ts";
import { folded } from "../../src/tui/fold.ts";
import { lineWidth, plainOf, textLine } from "../../src/tui/line.ts";
import { contextOf } from "../../src/tui/scene.ts";
import { RECEIVED, SENT } from "./setup/calculations.ts";
import { sceneOf } from "./setup/scenes.ts";

describe("each cent of a payment", () => {
  test.each([
    {
      columns: 80,
      of: SENT,
      lines: [
        "sends            250.00 USD  as requested",
        "fixed fee         -0.10 USD",
        "variable fee      -0.75 USD  0.3 % of 250.00 USD",
        "counterparty fee  -0.11 USD  0.10 EUR ÷ 0.9200 (0.108695… USD, rounded up)",
        "converted        229.11 EUR  249.04 USD × 0.9200 = 229.11 EUR",
        "                             (229.1168 EUR, rounded down)",
        "receives         229.11 EUR",
      ],
    },
    {
      columns: 80,
      of: RECEIVED,
      lines: [
        "sends        545.33 USD",
        "variable fee  -1.64 USD  0.3 % of 545.33 USD (1.63599 USD, rounded up)",
        "converted    500.00 EUR  543.48 USD × 0.9200 = 500.00 EUR",
        "                         (500.00 EUR ÷ 0.9200 = 543.478260… USD, rounded up)",
        "receives     500.00 EUR  as requested",
      ],
    },
    {
      columns: 60,
      of: SENT,
      lines: [
        "sends            250.00 USD  as requested",
        "fixed fee         -0.10 USD",
        "variable fee      -0.75 USD  0.3 % of 250.00 USD",
        "counterparty fee  -0.11 USD  0.10 EUR ÷ 0.9200",
        "                             (0.108695… USD, rounded up)",
        "converted        229.11 EUR",
        "             249.04 USD × 0.9200 = 229.11 EUR",
        "             (229.1168 EUR, rounded down)",
        "receives         229.11 EUR",
      ],
    },
  ])("in $columns columns, of what is $of.lockedSide", ({ columns, of, lines }) => {
    const context = contextOf(sceneOf(columns, 24));
    const shown = folded(amountLines(of, context), columns).map(plainOf);
    expect(shown).toEqual(lines);
  });
});

describe("a line that is too wide", () => {
  const fact = (text: string) => [span("payee        ", "dim"), span(text, "green")];

  test.each([
    {
      what: "goes on below its text, from a space",
      line: fact("Lucie Moreau of Lyon, iban …3003"),
      lines: ["payee        Lucie Moreau of", "             Lyon, iban …3003"],
    },
    {
      what: "divides a word that is wider than a line",
      line: fact("0123456789abcdefghijk"),
      lines: ["payee        0123456789abcdefg", "             hijk"],
    },
    {
      what: "keeps the depth of JSON",
      line: textLine('    "memo": "rent of january and of may"'),
      lines: ['    "memo": "rent of january', '    and of may"'],
    },
    {
      what: "is measured in cells, and loses no character",
      line: textLine("山田商店株式会社の支払い担当者の長い名前"),
      lines: ["山田商店株式会社の支払い担当", "  者の長い名前"],
    },
  ])("$what", ({ line, lines }) => {
    const shown = folded([line], 30);
    expect(shown.map((one) => plainOf(one).trimEnd())).toEqual(lines.map((one) => one.trimEnd()));
    for (const one of shown) expect(lineWidth(one)).toBeLessThanOrEqual(30);
  });

  test("keeps the look of its parts", () => {
    expect(folded([fact("Lucie Moreau of Lyon, iban")], 30).at(-1)).toEqual([
      span("             Lyon, iban", "green"),
    ]);
  });

  test("of 64 KiB beyond ASCII is folded, and cut, at once", () => {
    const startMs = performance.now();
    expect(folded([textLine("é".repeat(65_536))], 80)).toHaveLength(841);
    expect(cutEnd("é".repeat(65_536), 5)).toBe("éééé…");
    expect(performance.now() - startMs).toBeLessThan(2_000);
  });
});

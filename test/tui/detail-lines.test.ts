import { describe, expect, test } from "vitest";
import { span } from "../../src/rows/span.ts";
import { cutEnd } from "../../src/text/text-width.ts";
import { amountLines } from "../../src/tui/amount-lines.ts";
import { folded } from "../../src/tui/fold.ts";
import { lineWidth, plainOf, textLine } from "../../src/tui/line.ts";
import { contextOf } from "../../src/tui/scene.ts";
import type { Detail } from "../../src/tui/view.ts";
import { RECEIVED, SENT } from "./setup/calculations.ts";
import { linesOf, sceneOf } from "./setup/scenes.ts";

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

describe("texts of several lines", () => {
  const shown = (detail: Pick<Detail, "list" | "path" | "body">) => {
    const whole = { id: "1", subject: "1", isWhy: false, isJson: false, top: 0, ...detail };
    return linesOf(sceneOf(80, 40, { view: { detail: whole } })).slice(2, -1);
  };

  test("of a request that a fault struck, and of its answer, are lines", () => {
    const body = {
      id: "req-1-7",
      at: "2026-01-05T09:00:13.000Z",
      method: "POST",
      path: "/customers",
      status: 503,
      tookMs: 1,
      operation: "createCustomer",
      fault: "Fault:1",
      caused: [],
      requestBody: '{\n "memo": "one\\ntwo"\n}',
      responseBody: "upstream down\r\nstack:\n\tat one\n",
    };
    expect(shown({ list: "requests", path: "/requests/req-1-7", body }).filter(Boolean)).toEqual([
      "req-1-7    POST /customers",
      "status       ✗ 503  1 ms  at 09:00:13",
      "operation    createCustomer",
      "fault        Fault:1",
      "request      23 bytes",
      "  {",
      '    "memo": "one\\ntwo"',
      "  }",
      "answer       30 bytes",
      "  upstream down",
      "  stack:",
      "      at one",
    ]);
  });

  test("of a receiver's answer are lines, without an empty one at its end", () => {
    const attempt = { attempt: 1, at: "2026-01-05T09:00:13.000Z", status: 503, tookMs: 2 };
    const body = {
      id: "Webhook:1",
      type: "TEST",
      state: "GIVEN_UP",
      cause: { kind: "request", id: "req-1-7" },
      attempts: [{ ...attempt, reply: "down\r\nstack:\n  at one\n" }],
      signature: { key: "5d0a91c7", valid: true },
      body: "{}",
    };
    expect(shown({ list: "deliveries", path: "/webhooks/1", body }).slice(4, 9)).toEqual([
      "attempts     1",
      "  1  09:00:13  ✗ 503  2 ms  down",
      "     stack:",
      "       at one",
      "signature    verifies with key 5d0a91c7",
    ]);
  });
});

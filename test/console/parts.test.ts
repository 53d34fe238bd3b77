import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LIST_KEYS, PAGE_KEYS, pageActionOf } from "../../src/console/keys.ts";
import { SNIPPETS } from "../../src/console/parts/snippets.ts";
import { kindNamed } from "../../src/console/reference/sample.ts";
import { SHARED_KEYS, type SharedAction } from "../../src/rows/shared-keys.ts";
import { KEYS, keySign } from "../../src/tui/keys.ts";
import type { Sheet } from "../../src/tui/view.ts";
import { linesOf, ROWS, sceneOf } from "../tui/setup/scenes.ts";

describe("keys", () => {
  const looking = KEYS.filter(({ focus }) => focus.includes("list") || focus.includes("detail"));
  const onScreen = (action: string) =>
    looking.filter(({ does }) => does === action).flatMap(({ keys }) => keys);

  test("what both faces do has the same key and the same word", () => {
    const actions = Object.keys(SHARED_KEYS) as SharedAction[];
    expect(actions).toHaveLength(25);
    for (const action of actions) {
      const { keys, word, says } = SHARED_KEYS[action];
      const page = PAGE_KEYS.find(({ does }) => does === action);
      expect(page).toEqual({ keys, does: action, says });
      expect(onScreen(action)).toEqual(expect.arrayContaining([...keys]));
      const bars = looking.flatMap(({ does, bar }) => (does === action && bar ? [bar.says] : []));
      expect(bars.filter((one) => one !== word)).toEqual([]);
    }
  });

  /** Key and label of each button that names its key. */
  const buttons = readdirSync("src/console", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".tsx"))
    .flatMap((name) => readFileSync(`src/console/${name}`, "utf8").split("<Act").slice(1))
    .flatMap((text) => {
      const [button = ""] = text.split("</Act>");
      const key = /shortcut="(.)"/.exec(button)?.[1];
      return key ? [{ key, label: button.slice(button.lastIndexOf(">\n") + 1).trim() }] : [];
    });

  test("a button with a key has the word of its key", () => {
    const known = Object.values(SHARED_KEYS);
    const keys = buttons.map(({ key }) => key);
    expect(keys).toEqual(expect.arrayContaining(["A", "R", "X", "a", "b", "n", "z"]));
    for (const { key, label } of buttons) {
      const word = known.find(({ keys }) => (keys as readonly string[]).includes(key))?.word;
      expect(label.toLowerCase()).toMatch(new RegExp(`^(\\{.*")?${word}\\b`));
    }
  });

  const id = ROWS.approvals[0]?.id ?? "";
  const confirm = (does: "make-payout" | "approve" | "resend" | "send-test") =>
    ({ kind: "confirm", does, id }) as const;
  const ASKED: Partial<Record<SharedAction, Sheet>> = {
    advance: { kind: "advance", text: "", earlierAt: -1 },
    "step-back": { kind: "step-back", undone: { before: "last", lines: [] } },
    "make-payout": confirm("make-payout"),
    approve: confirm("approve"),
    resend: confirm("resend"),
    "send-test": confirm("send-test"),
    reject: { kind: "reason", id, text: "" },
    endpoint: { kind: "endpoint", text: "", before: "", isFresh: false },
    "fail-next": {
      kind: "fault",
      field: "call",
      call: "any",
      how: "503",
      sought: "",
      isFresh: true,
    },
  };

  test.each(Object.entries(ASKED))("enter carries out %s by its word", (action, sheet) => {
    const { word } = SHARED_KEYS[action as SharedAction];
    expect(linesOf(sceneOf(80, 24, { view: { sheet } })).at(-1)).toMatch(
      new RegExp(`^enter ${word} {2,}`),
    );
  });

  test("a key of the page alone does nothing on the screen", () => {
    const shared = new Set<string>(Object.keys(SHARED_KEYS));
    const own = PAGE_KEYS.filter(({ does }) => !shared.has(does)).flatMap(({ keys }) => keys);
    expect(own).toEqual(["ctrl k", "0"]);
    const taken = looking.flatMap(({ keys }) => keys);
    expect(own.filter((key) => taken.includes(key.replace(" ", "-")))).toEqual([]);
  });

  test("the keys within a list are the screen's", () => {
    const signs = (...actions: string[]) => actions.flatMap(onScreen).map(keySign);
    const wanted = [signs("row-up", "row-down"), signs("first", "last"), signs("open")];
    for (const [at, [keys]] of LIST_KEYS.entries())
      expect(wanted[at]).toEqual(expect.arrayContaining(keys.split(" ")));
  });

  test("each key does one thing", () => {
    const all = PAGE_KEYS.flatMap(({ keys }) => keys);
    expect(new Set(all).size).toBe(all.length);
  });

  test.each([
    [{ key: "a" }, "advance"],
    [{ key: "A" }, "approve"],
    [{ key: "Escape" }, "back"],
    [{ key: "k", ctrlKey: true }, "go-to"],
    [{ key: "a", ctrlKey: true }, undefined],
    [{ key: "a", altKey: true }, undefined],
    [{ key: "q" }, undefined],
  ])("%j", (pressed, action) => {
    const given = { ctrlKey: false, metaKey: false, altKey: false, ...pressed };
    expect(pageActionOf(given)).toBe(action);
  });
});

describe("code", () => {
  const call = { method: "POST", path: "/quotes", body: '{"a":"it\'s"}' };

  test("never has a secret, and names the variables that env prints", () => {
    for (const write of Object.values(SNIPPETS)) {
      const text = write(call);
      for (const name of ["API_URL", "CLIENT_ID", "CLIENT_SECRET"])
        expect(text).toContain(`SERVICE_SIM_${name}`);
    }
  });

  test("curl quotes a body for the shell", () => {
    expect(SNIPPETS.curl(call)).toContain(`-d '{"a":"it'\\''s"}'`);
  });

  test.each(["agent", "none"] as const)("a call of %s has other credentials or none", (caller) => {
    for (const write of Object.values(SNIPPETS)) {
      const text = write({ ...call, caller });
      expect(text.includes("CLIENT_SECRET")).toBe(false);
      expect(text.includes("AGENT_TOKEN")).toBe(caller === "agent");
    }
  });

  test("a form has its file and its texts", () => {
    const form = { method: "POST", path: "/documents", isForm: true, file: "pass.pdf" };
    const text = SNIPPETS.curl({ ...form, body: '{"country":"GB"}' });
    expect(text).toContain("-F 'file=@pass.pdf' \\\n  -F 'country=GB' \\\n");
    expect(text).not.toContain("application/json");
  });
});

test.each([
  ["customerId", "path /customers/{customerId}", "Customer"],
  ["accountId", "/quotes source", "InternalAccount"],
  ["accountId", "/quotes destination", "ExternalAccount"],
  ["quoteId", "path /quotes/{quoteId}", "Quote"],
  ["memo", "/quotes", undefined],
])("%s at %s means a record of %s", (name, place, kind) => {
  expect(kindNamed(name, place)).toBe(kind);
});

describe("colors", () => {
  const css = readFileSync("src/console/theme.css", "utf8");
  const tokens = [
    ...css.matchAll(/--([\w-]+):\s*light-dark\(\s*(#[0-9a-f]{6}),\s*(#[0-9a-f]{6})\s*\)/g),
  ];
  const colorOf = (name: string, isDark: boolean) => {
    const found = tokens.find(([, token]) => token === name);
    if (!found) throw new Error(`Expected a color ${name}`);
    return found[isDark ? 3 : 2] ?? "";
  };
  const luminance = (color: string) => {
    const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
      return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (one: string, other: string) => {
    const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };

  test.each(["ink", "soft", "dim", "done", "waits", "asks", "failed", "clock"])(
    "%s can be read on paper and on tint, in light and in dark",
    (name) => {
      for (const isDark of [false, true])
        for (const ground of ["paper", "tint"])
          expect(ratio(colorOf(name, isDark), colorOf(ground, isDark))).toBeGreaterThan(4.5);
    },
  );
});

test("JSON is cut into tokens without losing a character", async () => {
  const { jsonTokens } = await import("../../src/console/parts/json.tsx");
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(
        jsonTokens(text)
          .map((one) => one.text)
          .join(""),
      ).toBe(text);
    }),
  );
});

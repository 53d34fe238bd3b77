import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { placePerTest } from "../setup/place-per-test.ts";

const place = placePerTest();

test.each([
  { words: "tui", env: {} },
  { words: "tui --plain", env: {} },
  { words: "tui", env: { CI: "" } },
  { words: "start --tui --port 0", env: {} },
])("$words off a terminal is wrong usage, and names what works there", async ({ words, env }) => {
  const { code, stdout, stderr } = await place().run(words, { env });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("no screen ");
  const { stdout: document } = await place().run(`${words} --json`, { env });
  expect(JSON.parse(document).error.next).toEqual(["service-sim requests --follow"]);
});

const INSIDE = /react-reconciler|yoga|useSyncExternalStore|react\.element/;

test("Ink and React are in the file of the screen alone, and one chunk asks for it", () => {
  const files = readdirSync("dist", { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.c?js$/.test(name),
  );
  const textOf = (name: string) => readFileSync(join("dist", name), "utf8");
  const screen = files.filter((name) => name === "tui.js" || /tui-.*\.js$/.test(name));
  expect(INSIDE.test(textOf("tui.js"))).toBe(true);
  const others = files.filter((name) => !screen.includes(name));
  expect(others.filter((name) => INSIDE.test(textOf(name)))).toEqual([]);
  const asking = others.filter((name) => /\/tui\.js["`]/.test(textOf(name)));
  expect(asking).toEqual([expect.stringMatching(/chunks[\\/]watch-/)]);
  expect(textOf(asking[0] ?? "")).toMatch(/import\(["`]\.\.\/tui\.js["`]\)/);
});

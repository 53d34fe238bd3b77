import { readFileSync, statSync, writeFileSync } from "node:fs";
import { sep } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SERVICE_SIM } from "../../setup/cli.ts";
import { Workbench } from "../setup/workbench.ts";

let place: Workbench;

/** Writes down, at its end, which files a program has loaded. */
const LISTS_LOADED = `
process.on("exit", () => {
  require("node:fs").writeFileSync("loaded.json", JSON.stringify(Object.keys(require.cache)));
});
`;

beforeAll(async () => {
  place = new Workbench();
  await place.start("--clock manual --storage memory:");
  writeFileSync(place.file("lists-loaded.cjs"), LISTS_LOADED);
});

afterAll(() => place.close());

/** The program's own files that a command loads. */
const loadedBy = async (words: string): Promise<string[]> => {
  const program = [process.execPath, "-r", "./lists-loaded.cjs", SERVICE_SIM];
  const { code, stderr } = await place.spawn([...program, ...words.split(" ")]).ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return place.readJson("loaded.json").filter((file: string) => file.includes(`${sep}dist${sep}`));
};

/** The class of every shape of zod. */
const ZOD = /\$ZodType\b/;

const sourceOf = (file: string) => readFileSync(file, "utf8");

const LARGEST_BYTES = 450 * 1024;

// Loading every shape would double what a command costs to start.
test.each(["status", "advance 6m", "worlds list", "requests", "timers", "webhooks list"])(
  "%s loads neither zod nor the server",
  async (words) => {
    const files = await loadedBy(words);
    expect(files.some((file) => file.endsWith(`${sep}cli.cjs`))).toBe(true);
    expect(files.filter((file) => ZOD.test(sourceOf(file)))).toEqual([]);
    const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
    expect(bytes).toBeLessThan(LARGEST_BYTES);
  },
);

test("a command that reads shapes is seen to load zod", async () => {
  const files = await loadedBy("openapi --control");
  expect(files.some((file) => ZOD.test(sourceOf(file)))).toBe(true);
});

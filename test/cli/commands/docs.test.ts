import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { benchPerTest } from "../setup/place-per-test.ts";

const place = benchPerTest();

const page = (topic: string) => readFileSync(`src/docs/${topic}.md`, "utf8").trimEnd();

test("docs lists every page with its title, and decisions by the page that lists them", async () => {
  const { code, stdout } = await place().run("docs");
  expect(code).toBe(0);
  const pages = readdirSync("src/docs", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => name.replaceAll("\\", "/").replace(/\.md$/, ""))
    .filter((topic) => !/^decisions\/(?!README)/.test(topic));
  expect(pages.filter((topic) => !stdout.includes(`\n${topic} `))).toEqual([]);
  expect(stdout).toMatch(/^spec\n/);
  expect(stdout).not.toContain("decisions/typefaces");
  for (const folder of ["guide", "decisions", "more"]) expect(stdout).toContain(`\n\n${folder}\n`);
});

test("docs prints a page by its name, a section by its anchor, an operation by its id", async () => {
  const run = (words: string) => place().run(words);
  expect((await run("docs quotes")).stdout.trimEnd()).toBe(page("spec/quotes"));
  expect((await run("docs guide/webhook-lab")).stdout.trimEnd()).toBe(page("guide/webhook-lab"));
  const expiry = (await run("docs spec/quotes.md#expiry")).stdout;
  expect(expiry).toMatch(/^## Expiry\n/);
  expect(page("spec/quotes")).toContain(expiry.trimEnd());
  expect((await run("docs executeQuote")).stdout).toMatch(/^## Execution\n/);
});

test("docs --json prints topic, title and text", async () => {
  const { stdout } = await place().run("docs quotes#expiry --json");
  expect(JSON.parse(stdout)).toMatchObject({ topic: "spec/quotes", title: "Quotes" });
});

test.each([
  ["docs qoutes", "service-sim docs quotes"],
  ["docs quotes#expiri", "service-sim docs spec/quotes#expiry"],
])("%s fails and names what was meant", async (words, meant) => {
  const { code, stdout, stderr } = await place().run(words);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(meant);
});

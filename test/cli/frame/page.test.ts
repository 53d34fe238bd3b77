import { expect, onTestFinished, test } from "vitest";
import type { Invocation } from "../../../src/cli/frame/command.ts";
import { nextPageLine, pageRequest } from "../../../src/cli/frame/page.ts";
import { Receiver } from "../../setup/receiver.ts";
import { benchPerTest } from "../setup/place-per-test.ts";

const place = benchPerTest();

const NAMES = ["state", "about", "limit", "cursor"];

const asked = (options: Invocation["options"], sources: Invocation["sources"] = {}) =>
  pageRequest("webhooks list", NAMES, { args: [], options, sources } as never);

test.each([
  { options: {}, line: "service-sim webhooks list", isFiltered: false },
  { options: { limit: "3" }, line: "service-sim webhooks list --limit 3", isFiltered: false },
  {
    options: { state: "ACCEPTED", limit: "3", cursor: "abc" },
    line: "service-sim webhooks list --state ACCEPTED --limit 3",
    isFiltered: true,
  },
  {
    options: { about: "it's $HOME" },
    line: "service-sim webhooks list --about 'it'\\''s $HOME'",
    isFiltered: true,
  },
  { options: { cursor: "abc" }, line: "service-sim webhooks list", isFiltered: true },
])("a page asked with $options continues as $line", ({ options, line, isFiltered }) => {
  expect(asked(options)).toEqual({ line, isFiltered });
  expect(nextPageLine(asked(options), "def")).toBe(`older: ${line} --cursor def`);
});

test("a typed address is carried on, one from the environment is found again", () => {
  const options = { url: "http://127.0.0.1:4748" };
  expect(asked(options, { url: "cli" }).line).toBe(
    "service-sim webhooks list --url http://127.0.0.1:4748",
  );
  expect(asked(options, { url: "env" }).line).toBe("service-sim webhooks list");
});

test("the printed line shows the next page of the same list", async () => {
  const receiver = await new Receiver().start();
  onTestFinished(() => receiver.stop());
  const { call } = await place().start(
    `--storage memory: --clock manual --seed 7 --webhook-endpoint ${receiver.url}`,
  );
  for (const id of ["a", "b", "c"]) {
    expect((await call("GET", "/config")).status).toBe(200);
    expect((await call("GET", `/quotes/${id}`)).status).toBe(404);
    const { code } = await place().run("webhooks trigger TEST");
    expect(code).toBe(0);
  }
  const olderThan = async (words: string) => {
    const { stdout } = await place().run(words);
    const line = /^older: (.*)$/m.exec(stdout)?.[1] ?? "";
    return { line, ...(await place().shell(line)) };
  };

  const failed = await olderThan("requests --status 404 --limit 2");
  expect(failed.line).toMatch(/^service-sim requests --status 404 --limit 2 --cursor \S+$/);
  expect(failed.stdout).toMatch(/ \/quotes\/a {2}/);
  expect(failed.stdout).not.toContain("/config");

  const webhooks = await olderThan("webhooks list --type TEST --state ACCEPTED --limit 2");
  expect(webhooks.line).toMatch(
    /^service-sim webhooks list --type TEST --state ACCEPTED --limit 2 --cursor \S+$/,
  );
  expect(webhooks.stdout.split("\n").filter((row) => row.includes(" TEST "))).toHaveLength(1);

  const none = await place().run("webhooks list --state RETRYING");
  expect(none.stdout).toBe("no matching webhook\n");
  expect((await place().run("requests --method DELETE")).stdout).toBe("no matching request\n");
});

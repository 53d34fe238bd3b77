import { expect, test } from "vitest";
import { COMMANDS } from "../../src/cli/command-sections.ts";
import { SHARED_OPTIONS } from "../../src/cli/frame/command.ts";
import { listCommands } from "../../src/cli/frame/command-table.ts";
import { blocksOf, PAGES } from "./setup/doc-blocks.ts";

const { commands, groups } = await listCommands(COMMANDS);

const OPTIONS = new Map(
  commands.map(({ words, command }) => [
    words,
    [...command.options, ...SHARED_OPTIONS].flatMap(
      ({ flags }) => flags.match(/--?[a-z-]+/g) ?? [],
    ),
  ]),
);
for (const { name, alone } of groups)
  OPTIONS.set(name, OPTIONS.get(`${name} ${alone?.split(" ")[0]}`) ?? []);

/** The command lines of a page, each without what stands behind `--`, a pipe or a comment. */
const linesOf = (page: string) =>
  blocksOf(page)
    .filter(({ language }) => language === "sh")
    .flatMap(({ text }) => text.replaceAll("\\\n", " ").split("\n"))
    .flatMap((line) => [...line.matchAll(/npx service-sim( .*?)?(?= -- | #|[|)&>]|$)/g)])
    .map(([, words = ""]) => words.trim());

// Pages of `guide.apart.test.ts` are run there; here a command or option that is gone is seen.
test.each(PAGES)("each command of %s is there, and has the options", (page) => {
  const unknown = linesOf(page).filter((line) => {
    const [first = "", second = ""] = line.split(" ");
    const options = OPTIONS.get(`${first} ${second}`) ?? OPTIONS.get(first);
    const given = line.match(/(?<= )--[a-z-]+/g) ?? [];
    return options === undefined || given.some((one) => !options.includes(one));
  });
  expect(unknown).toEqual([]);
});

test("command lines are found", () => {
  expect(PAGES.flatMap(linesOf).length).toBeGreaterThan(120);
});

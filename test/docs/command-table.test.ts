import { expect, test } from "vitest";
import { COMMANDS } from "../../src/cli/command-sections.ts";
import { textOfPage } from "./setup/doc-blocks.ts";

test("the guide's table has each command once", () => {
  const rows = textOfPage("src/docs/guide/commands.md").match(/^\| `.*$/gm) ?? [];
  const named = rows.flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`([a-z]+)`/g)]);
  expect(named.map(([, name]) => name).sort()).toEqual(Object.keys(COMMANDS).sort());
});

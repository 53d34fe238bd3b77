import { expect, test } from "vitest";
import { COMMAND_SECTIONS } from "../../../src/cli/command-sections.ts";
import { inWorld, WITHOUT_WORLD } from "../../../src/cli/text/world-hint.ts";

test.each([
  ["service-sim requests", "service-sim requests --world a"],
  ["  service-sim snapshot load x    back", "  service-sim snapshot load x --world a    back"],
  ["service-sim requests      lists them", "service-sim requests --world a      lists them"],
  ["service-sim why 8e4b17 --json", "service-sim why 8e4b17 --json --world a"],
])("%s is meant in the world that was typed", (hint, meant) => {
  expect(inWorld(hint, "a")).toBe(meant);
  expect(inWorld(hint, undefined)).toBe(hint);
});

test.each([
  "service-sim worlds list      shows the existing worlds",
  "service-sim start --port 0",
  "service-sim status --world b",
  "service-sim advance --help    did you mean --next?",
  "run it in the folder of service-sim start",
  'eval "$(service-sim env)"    SERVICE_SIM_URL names a stopped simulator',
])("%s stays as it is", (hint) => {
  expect(inWorld(hint, "a")).toBe(hint);
});

const takesWorld = ({ options = [] }: { options?: readonly { flags: string }[] }) =>
  options.some(({ flags }) => flags.startsWith("--world "));

test("hints leave the world out of every command that does not take it", async () => {
  const without: string[] = [];
  for (const { commands } of COMMAND_SECTIONS)
    for (const [name, load] of Object.entries(commands)) {
      const { command } = await load();
      if ("run" in command && !takesWorld(command)) without.push(name);
    }
  const byChoice = ["docs", "help", "open", "stop", "worlds"];
  expect([...without, ...byChoice].sort()).toEqual([...WITHOUT_WORLD].sort());
});

import { expect, test } from "vitest";
import { COMMANDS } from "../../src/cli/command-sections.ts";
import { CLIENT_OPTIONS, SHARED_OPTIONS } from "../../src/cli/frame/command.ts";
import { listCommands } from "../../src/cli/frame/command-table.ts";
import { OTHER_VARIABLES } from "../../src/cli/frame/environment.ts";
import { complaintsAboutText } from "./setup/prose.ts";

const CLAUSE = /^(What|Who|Whose|Where|Whether|Which|That|How|Why|When)\b/i;
const MAX_WORDS = 25;

const complaintsAboutHelp = (text: string) => {
  const opener = CLAUSE.exec(text)?.[1];
  const count = text.split(/\s+/).length;
  return [
    ...(opener === undefined ? [] : [`opens with "${opener}"`]),
    ...(count > MAX_WORDS ? [`has ${count} words`] : []),
    ...complaintsAboutText(text),
  ].map((complaint) => `${complaint}: ${text}`);
};

test("every summary and option of the help reads as plain English", async () => {
  const { groups, commands } = await listCommands(COMMANDS);
  const options = commands.flatMap(({ command }) => command.options);
  const texts = [
    ...groups.map(({ summary }) => summary),
    ...commands.map(({ command }) => command.summary),
    ...[...SHARED_OPTIONS, ...CLIENT_OPTIONS, ...options].map(({ summary }) => summary),
    ...Object.values(OTHER_VARIABLES),
  ];
  expect(texts.length).toBeGreaterThan(100);
  expect([...new Set(texts)].flatMap(complaintsAboutHelp)).toEqual([]);
});

test.each([
  ["show pending timers", undefined],
  ["what is sent", 'opens with "what"'],
  ["how long to wait", 'opens with "how"'],
  ["colour the output", 'says "colour"'],
  [`show ${"very ".repeat(30)}much`, "has 32 words"],
])("%s", (text, complaint) => {
  const [first] = complaintsAboutHelp(text);
  if (complaint === undefined) expect(first).toBeUndefined();
  else expect(first).toContain(complaint);
});

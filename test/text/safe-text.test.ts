import { describe, expect, test, vi } from "vitest";
import { Terminal } from "../../src/cli/text/terminal.ts";
import { safeJson, safeText } from "../../src/text/safe-text.ts";
import { colorTerminal } from "../cli/setup/styles.ts";
import { cameThrough, PLANT, PLANTS } from "../setup/plants.ts";

test.each([
  { text: "plain", shown: "plain" },
  { text: "Zoë, 山田, محمد", shown: "Zoë, 山田, محمد" },
  { text: "a\u001b[2Jb", shown: "a^[[2Jb" },
  { text: "a\nb\tc\rd", shown: "a^Jb^Ic^Md" },
  { text: "\u009b31m", shown: "^{9b}31m" },
  { text: "\u202egpj.exe", shown: "^{202e}gpj.exe" },
  { text: "pay\u200bpal", shown: "pay^{200b}pal" },
  { text: "pay\u200dpal", shown: "pay^{200d}pal" },
  { text: "\u{e0041}", shown: "^{e0041}" },
  { text: "👩‍👩‍👧‍👦", shown: "👩‍👩‍👧‍👦" },
  { text: "👍🏽 ❤️", shown: "👍🏽 ❤️" },
  { text: "می‌خواهم", shown: "می‌خواهم" },
  { text: "क्‍ष", shown: "क्‍ष" },
])("$shown is how $text is shown", ({ text, shown }) => {
  expect(safeText(text)).toBe(shown);
  expect(safeText(safeText(text))).toBe(shown);
});

test.each(PLANTS.map((plant) => [JSON.stringify(plant), plant]))(
  "%s does not come through",
  (_, plant) => {
    expect(cameThrough(plant)).not.toEqual([]);
    expect(cameThrough(safeText(`a${plant}z`))).toEqual([]);
  },
);

test.each([undefined, 2])("JSON with indent %s says the same", (indent) => {
  const value = { [PLANT]: [PLANT, { a: "Zoë 👩‍👩‍👧‍👦" }] };
  expect(cameThrough(safeJson(value, indent))).toEqual([]);
  expect(JSON.parse(safeJson(value, indent))).toEqual(value);
  expect(safeJson({ a: "Zoë" })).toBe('{"a":"Zoë"}');
});

describe("a terminal with color", () => {
  test("prints its own colors and none that stand in a text", async () => {
    const terminal = await colorTerminal();
    const { red, dim } = terminal.style.color;
    const planted = "\u001b[31mred\u001b[39m";
    expect(terminal.printed([red("own"), planted])).toBe(
      "\u001b[31mown\u001b[39m\n^[[31mred^[[39m\n",
    );
    expect(terminal.printed([dim(`a ${red(planted)} b`)])).toBe(
      "\u001b[2ma \u001b[31m^[[31mred^[[39m\u001b[39m b\u001b[22m\n",
    );
  });

  test("marks its colors so that another terminal's are not taken for its own", async () => {
    const [one, other] = [await colorTerminal(), await colorTerminal()];
    expect(cameThrough(one.printed([other.style.color.red("x")]))).toEqual([]);
  });
});

/** Output on both streams during a print. */
const written = async (isTerminal: boolean, print: (terminal: Terminal) => void) => {
  const before = Object.getOwnPropertyDescriptor(process.stdout, "isTTY");
  Object.defineProperty(process.stdout, "isTTY", { value: isTerminal, configurable: true });
  const parts: string[] = [];
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, "write").mockImplementation((part) => {
      parts.push(typeof part === "string" ? part : Buffer.from(part).toString());
      return true;
    }),
  );
  try {
    print(await Terminal.open({ json: false, quiet: false, color: "always" }));
  } finally {
    for (const spy of spies) spy.mockRestore();
    if (before) Object.defineProperty(process.stdout, "isTTY", before);
    else Reflect.deleteProperty(process.stdout, "isTTY");
  }
  return parts.join("");
};

const failure = { code: "X", message: PLANT, next: [PLANT, PLANT], details: {}, exitCode: 1 };

test.each<[string, (terminal: Terminal) => void]>([
  ["print", (terminal) => terminal.print(PLANT)],
  ["answer", (terminal) => terminal.answer(PLANT.replace("\n", ""))],
  ["note", (terminal) => terminal.note(PLANT)],
  ["activity", (terminal) => terminal.activity(PLANT)],
  ["fail", (terminal) => terminal.fail(failure)],
  ["exact", (terminal) => terminal.exact(PLANT.replace("\n", ""))],
  ["exact bytes", (terminal) => terminal.exact(Buffer.from(PLANT.replace("\n", "")))],
])("on a terminal %s lets nothing through", async (_, print) => {
  const text = await written(true, print);
  expect(text).toContain("PLANTED");
  expect(cameThrough(text)).toEqual([]);
});

test("off a terminal exact bytes are exact", async () => {
  expect(await written(false, (terminal) => terminal.exact(PLANT))).toBe(PLANT);
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DOCS } from "./setup/citations.ts";

const page = readFileSync(join(DOCS, "spec/library.md"), "utf8");

const SOURCES = ["src/library/simulator.ts", "src/local-simulator.ts"].map((file) =>
  readFileSync(file, "utf8"),
);

interface Member {
  name: string;
  /** `(id, status)` of a call; nothing of a value. */
  parameters: string | undefined;
  type: string;
}

/** Names of parameters, without their types; a member of an options object is one too. */
const namesOf = (parameters: string): string => {
  const flat = parameters.replace(/\s+/g, " ").replace(/<[^<>]*>/g, "");
  const names = [...flat.matchAll(/(?:^|, )(\w+\??): /g)].map(([, name]) => name);
  return names.join(", ");
};

const bodyOf = (name: string) => {
  for (const source of SOURCES) {
    const [, body] =
      new RegExp(`^export interface ${name}\\b[^{]*\\{\\n(.*?)^\\}`, "ms").exec(source) ?? [];
    if (body !== undefined) return body;
  }
  return undefined;
};

/** The members that an interface of the sources declares. */
const membersOf = (name: string): Member[] => {
  const text = (bodyOf(name) ?? "").replace(/\/\*\*.*?\*\//gs, "");
  return [
    ...text.matchAll(
      /^ {2}(?:readonly )?(\w+)(?:<[^\n]*?>)?(?:\(\s*([^()]*?),?\s*\))?: ([^\n;]+)/gm,
    ),
  ].map(([, member = "", parameters, type = ""]) => ({
    name: member,
    parameters: parameters === undefined ? undefined : `(${namesOf(parameters)})`,
    type,
  }));
};

const lined = (prefix: string, { name, parameters = "" }: Member) =>
  `${prefix}${name}${parameters}`;

/** `webhooks.wait(wanted)` of a group of calls, `advance(span)` of a call, `world` of a value. */
const declared = (name: string): string[] =>
  membersOf(name).flatMap((member) => {
    const group = membersOf(member.type.trim());
    if (member.parameters !== undefined || group.length === 0) return [lined("", member)];
    return group.map((one) => lined(`${member.name}.`, one));
  });

/** Whoever waits reads what `wanted` is made of. */
const SPELLED_OUT: Record<string, string> = {
  "webhooks.wait(wanted)": "webhooks.wait({ type, about?, count?, timeoutMs? })",
  "webhooks.count(wanted)": "webhooks.count({ type, about?, count?, timeoutMs? })",
};

const documented = [...page.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, cell = ""]) =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, member = ""]) => member),
);

const local = new Set(declared("LocalSimulator"));
const shared = declared("Simulator").map((member) => SPELLED_OUT[member] ?? member);

test("the page lists every member of a simulator, with its parameters", () => {
  expect(shared.length).toBeGreaterThan(55);
  const all = [...shared, ...[...local].filter((member) => !shared.includes(member))];
  expect([...documented].sort()).toEqual(all.sort());
});

/** Members under each heading, so that a reader finds them where they belong. */
const SECTIONS = [
  { place: "spec/library.md#world", members: ["apiUrl", "close()"] },
  { place: "spec/library.md#calls", members: ["call"] },
  { place: "spec/library.md#time", members: ["advance(span)", "timers.fire(id)"] },
  { place: "spec/library.md#states", members: ["fork(name?, options?)", "diff(from, to?)"] },
  { place: "spec/library.md#webhooks-and-mails", members: ["webhooks.list(query?)"] },
  {
    place: "spec/library.md#settings-for-what-comes-next",
    members: ["faults.add(fault)", "outcomes.next(rule, options?)"],
  },
  { place: "spec/library.md#reports", members: ["why(id)", "coverage(of?)"] },
  { place: "spec/library.md#in-this-process", members: ["listen(options?)"] },
];

test.each(SECTIONS)("$place has $members", ({ place, members }) => {
  const part = page
    .split(/^## /m)
    .find((text) => place.endsWith(`#${text.split("\n")[0]?.toLowerCase().replaceAll(" ", "-")}`));
  for (const member of members) expect(part).toContain(`\`${member}\``);
});

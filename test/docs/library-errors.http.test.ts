import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as library from "../../src/simulator.ts";

const page = readFileSync("src/docs/guide/tests-and-ci.md", "utf8");

/** Classes in the guide's table of errors, with the members it names. */
const rows = [...page.matchAll(/^\| `([A-Z]\w+)` \| [^|]+ \|([^|]*)\|$/gm)].map(
  ([, name = "", members = ""]) => ({
    name,
    members: [...members.matchAll(/`(\w+)`/g)].map(([, member = ""]) => member),
  }),
);

const { connect, createSimulator, ...errors } = library;

test("the guide names each class that the library exports", () => {
  expect([connect, createSimulator].map((one) => typeof one)).toEqual(["function", "function"]);
  expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(errors).sort());
});

test("each is an error that tells its name", () => {
  for (const [name, { prototype }] of Object.entries(errors))
    expect(prototype, name).toBeInstanceOf(Error);
});

test.each([
  { says: "an option", name: "OptionError", start: { storage: "floppy:" } },
  { says: "a fixture", name: "OptionError", start: { fixture: "nowhere" } },
])("$says that cannot be used is an $name with its members", async ({ name, start }) => {
  const error = await createSimulator(start).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(library.OptionError);
  expect(error).toMatchObject({ name });
  for (const member of rows.find((row) => row.name === name)?.members ?? ["none"])
    expect(error).toHaveProperty(member);
});

import { expect, test } from "vitest";
import { createSimulator, type SimulatorOptions } from "../../src/simulator.ts";
import { startTestSimulator } from "../setup/test-simulator.ts";

type Document = Record<string, unknown>;

const deep = () => {
  let value: unknown = "text";
  for (let level = 0; level < 50_000; level += 1) value = { a: value };
  return value;
};

const inItself = (document: Document): Document => {
  document.self = document;
  return document;
};

const withBody = (body: unknown): Document => ({
  steps: [{ request: { method: "POST", path: "/customers", body } }],
});

const cyclicBody = () => {
  const body: Document = { customerType: "INDIVIDUAL" };
  body.address = body;
  return body;
};

/** Documents that a program hands over as objects, which may hold themselves. */
const DOCUMENTS: { what: string; options: () => object }[] = [
  { what: "a fixture that holds itself", options: () => ({ fixture: inItself(withBody({})) }) },
  {
    what: "a fixture whose body holds itself",
    options: () => ({ fixture: withBody(cyclicBody()) }),
  },
  { what: "a deep fixture", options: () => ({ fixture: withBody({ address: deep() }) }) },
  { what: "a brand that holds itself", options: () => ({ brand: inItself({ word: "acme" }) }) },
  { what: "a deep brand", options: () => ({ brand: { word: "acme", env: deep() } }) },
  { what: "a fixture that is a list", options: () => ({ fixture: [] }) },
  {
    what: "a fixture of a class",
    options: () => ({ fixture: new Map([["steps", []]]) }),
  },
];

test.each(DOCUMENTS)("$what is refused as an option", async ({ options }) => {
  const opened = createSimulator(options() as SimulatorOptions);
  await expect(opened).rejects.toMatchObject({ name: "OptionError" });
});

test("a body with a prototype's name makes no prototype", async () => {
  const world = await startTestSimulator();
  const body =
    '{"customerType":"INDIVIDUAL","__proto__":{"isAdmin":true},"constructor":{"prototype":{}}}';
  const answer = await world.raw("POST", "/customers", {
    headers: { "content-type": "application/json" },
    body,
  });
  expect(answer.status).toBe(201);
  expect(({} as Document).isAdmin).toBeUndefined();
  await world.sim.close();
});

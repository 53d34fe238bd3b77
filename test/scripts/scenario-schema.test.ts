import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { STEP_KINDS, scenarioSchema } from "../../src/contract/control/scenarios.ts";
import { checkScenario } from "../../src/scripts/scenario-check.ts";
import { bundledScenarios, openScenario } from "../../src/scripts/script-files.ts";

const read = (path: string) => JSON.parse(readFileSync(path, "utf8"));

const published = read("fixtures/scenario.schema.json");

const ajv = new Ajv({ strict: false });
(addFormats as unknown as (to: Ajv) => void)(ajv);
const accepts = ajv.compile(published);

test("the published schema is what the program prints: service-sim run --schema", () => {
  expect(published).toEqual(JSON.parse(JSON.stringify(scenarioSchema())));
});

test("every kind of step is in the schema, in the order of the kinds", () => {
  const kinds = published.properties.steps.items.anyOf.map(
    ({ properties }: { properties: object }) =>
      Object.keys(properties).find((name) => STEP_KINDS.some((kind) => kind === name)),
  );
  expect(kinds).toEqual([
    "request",
    "advance",
    "webhook",
    "balance",
    "receiver",
    "keyPair",
    "openSession",
    "sealCode",
    "openExport",
    "sign",
    "createPasskey",
    "usePasskey",
  ]);
});

const stepping = (step: object) => ({ name: "s", steps: [step] });
const request = { method: "GET", path: "/config" };

const isScenario = (document: unknown) => {
  try {
    checkScenario(document);
    return true;
  } catch {
    return false;
  }
};

describe("an editor with the schema and the program agree", () => {
  test.each([
    { what: "a request", document: stepping({ request }), is: true },
    {
      what: "a request to the control surface",
      document: stepping({ request: { method: "GET", path: "/_sim/clock" } }),
      is: true,
    },
    {
      what: "expectations",
      is: true,
      document: stepping({ request, expect: { status: 404, body: { "data.0.id": 1 } } }),
    },
    {
      what: "an upload",
      is: true,
      document: stepping({
        request: { method: "POST", path: "/documents", file: { name: "a", text: "b" } },
      }),
    },
    {
      what: "a clock step with a name",
      document: stepping({ name: "a", advance: "6m" }),
      is: true,
    },
    { what: "no webhook", document: stepping({ webhook: { count: 0 } }), is: true },
    { what: "a balance", document: stepping({ balance: { account: "a", amount: -1 } }), is: true },
    { what: "no steps", document: { name: "s", steps: [] }, is: false },
    { what: "no name", document: { steps: [{ request }] }, is: false },
    { what: "an empty step", document: stepping({}), is: false },
    { what: "two kinds in one step", document: stepping({ request, advance: "6m" }), is: false },
    { what: "a type that no event has", document: stepping({ webhook: { type: "X" } }), is: false },
    {
      what: "a status inside the request, as a fixture has it",
      is: false,
      document: stepping({ request: { ...request, expect: 200 } }),
    },
    {
      what: "an amount with a fraction",
      is: false,
      document: stepping({ balance: { account: "a", amount: 1.5 } }),
    },
    {
      what: "a lost answer that is none",
      is: false,
      document: stepping({ request, expect: { lost: false } }),
    },
  ])("$what: $is", ({ document, is }) => {
    expect(isScenario(document)).toBe(is);
    expect(accepts(document), ajv.errorsText(accepts.errors)).toBe(is);
  });
});

test("the package has twelve scenarios", () => {
  expect(bundledScenarios()).toEqual([
    "agent-approval",
    "bank-return",
    "bulk",
    "card-life",
    "chaos",
    "failed-and-refunded",
    "just-in-time",
    "kyb",
    "passkey",
    "payout",
    "uma-in-and-out",
    "wallet",
  ]);
});

test.each(bundledScenarios())(
  "%s is valid, named like its file, and says what it shows",
  async (name) => {
    const document = read(`fixtures/scenarios/${name}.json`);
    expect(accepts(document), ajv.errorsText(accepts.errors)).toBe(true);
    expect(document).toMatchObject({ $schema: "../scenario.schema.json", name });
    expect((await openScenario(name)).scenario.description).toMatch(/^[A-Z].*\.$/);
  },
);

import { expect, test } from "vitest";
import { DescribedApi } from "../../src/conform/described-api.ts";
import { Judge } from "../../src/conform/judge.ts";

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const hook = (schema: object, method = "post") => ({
  [method]: { requestBody: { content: { "application/json": { schema } } } },
});

const typed = (type: object, data: object = {}) => ({
  type: "object",
  properties: { type, data },
  required: ["type", "data"],
});

const DOCUMENT = {
  openapi: "3.1.0",
  paths: {},
  webhooks: {
    payments: hook({
      allOf: [ref("Base"), typed({ enum: ["PAID", "FAILED"] }, { type: "object" })],
    }),
    "card-changes": hook(ref("CardEvent")),
    anyOther: hook({ oneOf: [typed({ const: "A" }), typed(ref("Letter"))] }, "put"),
    "pet.born": hook({ type: "object" }),
    byPart: { $ref: "#/components/pathItems/Part" },
    first: hook(typed({ const: "TWICE" }, { type: "string" })),
    second: hook(typed({ const: "TWICE" }, { type: "number" })),
  },
  components: {
    pathItems: { Part: hook(typed({ const: "PART" })) },
    schemas: {
      Base: typed({ enum: ["PAID", "FAILED", "CARD", "A", "B"] }),
      Letter: { type: "string", enum: ["B"] },
      CardEvent: {
        oneOf: [ref("Card"), ref("CardEvent")],
        discriminator: { propertyName: "type", mapping: { CARD: "#/components/schemas/Card" } },
      },
      Card: typed({ const: "CARD" }, { type: "object", required: ["last4"] }),
    },
  },
};

const judged = (type: string, data: unknown) => {
  const judge = new Judge(new DescribedApi(DOCUMENT));
  judge.take({ kind: "webhook", body: { type, data } });
  const { invalid, undocumented } = judge.report();
  return [...invalid.map(({ path }) => path), ...undocumented.map(({ operation }) => operation)];
};

// spec/conform.md#findings
test.each<[string, unknown, string[]]>([
  ["PAID", {}, []],
  ["PAID", "text", ["/data"]],
  ["FAILED", {}, []],
  ["CARD", { last4: "1234" }, []],
  ["CARD", {}, ["/data"]],
  ["A", 1, []],
  ["B", 1, []],
  ["C", 1, ["webhook C"]],
  ["pet.born", 1, []],
  ["PART", 1, []],
  ["TWICE", "text", []],
  ["TWICE", 1, []],
  ["TWICE", true, ["/data"]],
  ["payments", {}, ["/type"]],
])("a webhook %s with data %j differs at %j", (type, data, found) => {
  expect(judged(type, data)).toEqual(found);
});

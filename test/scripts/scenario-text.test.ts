import { expect, test } from "vitest";
import { openScenario } from "../../src/scripts/script-files.ts";
import { ScriptTextError } from "../../src/scripts/script-text.ts";
import { fileWith } from "./setup/file-with.ts";

const refusalOf = async (content: string) => {
  const path = fileWith(content);
  const error = await openScenario(path).catch((refused: unknown) => refused);
  if (!(error instanceof ScriptTextError)) throw new Error("Expected a refusal");
  return error.message.replaceAll(path, "s.json");
};

/** A scenario whose steps begin on line 3. */
const stepping = (...steps: string[]) =>
  `{ "name": "s",\n  "steps": [\n${steps.map((step) => `    ${step}`).join(",\n")}\n  ] }\n`;

const ADA = '{ "name": "ada", "request": { "method": "GET", "path": "/customers" } }';

test.each([
  {
    what: "a step without a kind",
    text: stepping('{ "name": "a" }'),
    says: "Expected a step with one of request, advance, webhook, balance, receiver, keyPair, openSession, sealCode, openExport, sign, createPasskey, usePasskey at line 3, column 5 of s.json but found name",
  },
  {
    what: "a member that a request does not have",
    text: stepping('{ "request": { "method": "GET", "url": "/c" } }'),
    says: 'Expected one of method, path, headers, body, file at line 3, column 37 of s.json but found "url"',
  },
  {
    what: "a member that a webhook does not have",
    text: stepping('{ "webhook": { "kind": "X" } }'),
    says: 'Expected one of type, about, state, count at line 3, column 20 of s.json but found "kind"',
  },
  {
    what: "a member that no expectation has",
    text: stepping(
      '{ "request": { "method": "GET", "path": "/c" },',
      '  "expect": { "code": 1 } }',
    ).replace("},,\n", "},\n"),
    says: 'Expected one of status, lost, body at line 4, column 19 of s.json but found "code"',
  },
  {
    what: "a reference to a later step",
    text: stepping('{ "balance": { "account": "${ada.id}", "amount": 1 } }', ADA),
    says: "Expected an earlier step's name in ${ada.id} at line 3, column 31 of s.json but found step 2, which comes later",
  },
  {
    what: "a reference to no step, in an expectation",
    text: stepping(
      '{ "request": { "method": "GET", "path": "/c" }, "expect": { "body": { "id": "${bob.id}" } } }',
    ),
    says: "Expected an earlier step's name in ${bob.id} at line 3, column 81 of s.json but found no step of that name",
  },
  {
    what: "a revision that is none",
    text: stepping('{ "advance": "1m", "since": "2027-01" }'),
    says: 'Expected one of 2025-10, 2026-08 (closest: 2025-10) at line 3, column 33 of s.json but found "2027-01"',
  },
  {
    what: "a name given twice where a world may run both",
    text: stepping(ADA, ADA.replace("{", '{ "since": "2026-08",')),
    says: 'Expected a name of its own at line 4, column 35 of s.json but found "ada", which step 1 has',
  },
  {
    what: "a name given twice",
    text: stepping(ADA, ADA),
    says: 'Expected a name of its own at line 4, column 15 of s.json but found "ada", which step 1 has',
  },
  {
    what: "a span that is none",
    text: stepping('{ "advance": "soon" }'),
    says: 'Expected a duration like 90s, 6m, 1h30m, 7d or PT6M at line 3, column 18 of s.json but found "soon"',
  },
  {
    what: "a passkey that no step made",
    text: stepping(ADA, '{ "usePasskey": { "passkey": "ada", "challenge": "x" } }'),
    says: 'Expected the name of an earlier step with createPasskey at line 4, column 34 of s.json but found "ada"',
  },
  {
    what: "a count that is no number",
    text: stepping('{ "webhook": { "count": "1" } }'),
    says: 'Expected a number at line 3, column 29 of s.json but found "1"',
  },
  {
    what: "a body with GET",
    text: stepping('{ "request": { "method": "GET", "path": "/c", "body": {} } }'),
    says: "Expected no body with GET at line 3, column 59 of s.json but found an object",
  },
  {
    what: "text that is no JSON",
    text: '{ "name": "s"\n  "steps": [] }',
    says: 'Expected a "," at line 2, column 3 of s.json but found "\\"steps\\""',
  },
])("$what is told with its line and column", async ({ text, says }) => {
  expect(await refusalOf(text)).toBe(says);
});

test("a name that no scenario of the package has is told with the closest one", async () => {
  await expect(openScenario("payuot")).rejects.toThrow(
    'Expected a scenario bundled with the package (agent-approval, bank-return, bulk, card-life, chaos, failed-and-refunded, just-in-time, kyb, passkey, payout, uma-in-and-out, wallet) but found "payuot"; the closest one is payout',
  );
});

test("a file that is not there is told", async () => {
  await expect(openScenario("./nowhere.json")).rejects.toThrow(
    "Expected a scenario at ./nowhere.json but found no file",
  );
});

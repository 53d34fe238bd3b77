import { expect, test } from "vitest";
import { createSimulator, OptionError } from "../../src/simulator.ts";

/** The refusal of `createSimulator`; closes a simulator that started nevertheless. */
const refusal = async (options: unknown): Promise<unknown> => {
  try {
    const sim = await createSimulator(options as object);
    await sim.close();
  } catch (error) {
    return error;
  }
  return "it was accepted";
};

test.each([
  { option: "seed", value: {}, says: "text or a number but found an object" },
  { option: "seed", value: Number.NaN, says: "text or a number but found a number" },
  {
    option: "now",
    value: new Date(0),
    says: "an instant like 2026-01-05T09:00:00Z but found a Date",
  },
  { option: "clock", value: "x", says: 'real, manual, auto or a speed like 60x but found "x"' },
  {
    option: "fixture",
    value: 5,
    says: "the name of a fixture, a path or a fixture but found a number",
  },
  { option: "storage", value: 5, says: "text but found a number" },
  { option: "fresh", value: "yes", says: "true or false but found text" },
  { option: "beforeMovingAside", value: "x", says: "a function but found text" },
  { option: "host", value: 5, says: "text but found a number" },
  { option: "fsync", value: "false", says: "true or false but found text" },
  {
    option: "webhookTimeoutMs",
    value: "30s",
    says: "a number from 1 to 2147483647 but found text",
  },
  {
    option: "webhookTimeoutMs",
    value: -1,
    says: "a number from 1 to 2147483647 but found a number",
  },
  { option: "webhookEndpoint", value: null, says: "text but found null" },
  { option: "sandboxUmaDomains", value: "a.test", says: "a list of texts but found text" },
  { option: "webhookKey", value: Buffer.from("pem"), says: "text but found an object" },
  { option: "webhookSignature", value: "xml", says: 'one of base64, json but found "xml"' },
  { option: "clientId", value: 5, says: "text but found a number" },
  { option: "clientSecret", value: 5, says: "text but found a number" },
  { option: "crypto", value: true, says: "one of both, magic-only, strict but found a boolean" },
  { option: "walletCredential", value: "sms", says: 'one of none, email but found "sms"' },
  { option: "cardEvents", value: "Upper", says: 'one of lower, upper but found "Upper"' },
  { option: "codes", value: "abc", says: "fixed, random or 4 to 12 digits but found text" },
  { option: "approvals", value: "yes", says: 'one of ask, approve, reject but found "yes"' },
  { option: "oidcIssuers", value: "https://a.example", says: "a list of texts but found text" },
  { option: "oidcJwks", value: [5], says: "text or a list of texts but found a list" },
  { option: "allowOrigins", value: "http://a.test", says: "a list of texts but found text" },
  { option: "allowHosts", value: "sim", says: "a list of texts but found text" },
  { option: "allowWebhookTargets", value: "10.0.0.0/8", says: "a list of texts but found text" },
  { option: "tunnel", value: "false", says: "true or false but found text" },
  { option: "force", value: 1, says: "true or false but found a number" },
  { option: "answersBeforeReady", value: "no", says: "true or false but found text" },
  { option: "peer", value: 4748, says: "text but found a number" },
  { option: "leaseMs", value: 999, says: "a whole number from 1000 to 60000 but found a number" },
  { option: "drainMs", value: "5s", says: "a whole number from 0 to 300000 but found text" },
  { option: "onActivity", value: [], says: "a function but found a list" },
  { option: "onWebhookKey", value: "x", says: "a function but found text" },
  { option: "onAlarm", value: {}, says: "a function but found an object" },
])("$option of the wrong kind is refused: $says", async ({ option, value, says }) => {
  const error = await refusal({ [option]: value });
  expect(error).toBeInstanceOf(OptionError);
  expect(error).toMatchObject({ option, message: `Expected ${option} to be ${says}` });
});

test.each([
  {
    options: { sead: 7 },
    says: "an option of createSimulator but found sead; the closest one is seed",
  },
  { options: { zzzzzz: 7 }, says: "an option of createSimulator but found zzzzzz" },
  { options: null, says: "an object with options but found null" },
  { options: "payouts-demo", says: "an object with options but found text" },
])("what is no option is refused: $says", async ({ options, says }) => {
  const error = await refusal(options);
  expect(error).toBeInstanceOf(OptionError);
  expect(error).toMatchObject({ message: `Expected ${says}` });
});

test("an option that is undefined counts as left out", async () => {
  const sim = await createSimulator({ seed: undefined, clock: undefined } as object);
  expect(sim.clientSecret).toMatch(/^sk_sim_/);
  await sim.close();
});

test.each([
  { given: { port: "x" }, says: 'port to be a number from 0 to 65535, or auto but found "x"' },
  { given: { port: 70_000 }, says: "port to be a number from 0 to 65535, or auto but found 70000" },
  { given: { port: -1 }, says: "port to be a number from 0 to 65535, or auto but found -1" },
  { given: { host: 5 }, says: "host to be text but found 5" },
])("listen refuses $given", async ({ given, says }) => {
  const sim = await createSimulator();
  const error = await sim.listen(given as object).catch((thrown: unknown) => thrown);
  await sim.close();
  expect(error).toBeInstanceOf(OptionError);
  expect(error).toMatchObject({ message: `Expected ${says}` });
});

import fc from "fast-check";
import { expect, test } from "vitest";
import {
  isSecretValue,
  redactJson,
  redactPath,
  redactQuery,
  secretsInQuery,
  withoutSecrets,
} from "../../src/http/log/redaction.ts";

const SECRET_NAMES = [
  "clientSecret",
  "client_secret",
  "secret",
  "password",
  "token",
  "accessToken",
  "oidcToken",
  "otp",
  "authorization",
  "Authorization",
  "signature",
  "Service-Wallet-Signature",
  "privateKey",
  "encryptedSessionSigningKey",
  "apiKey",
  "deviceCode",
  "cvv",
  "securityCode",
  "otpCode",
  "verification_code",
];

test.each(SECRET_NAMES)("a member %s is taken out, whatever it holds", (name) => {
  for (const value of ["hush", 123456, { s: "hush" }, [["hush"]], 'a "quoted" \\ hush'])
    expect(redactJson(JSON.stringify({ a: 1, [name]: value, z: "kept" })).text).toBe(
      `{"a":1,"${name}":"[redacted]","z":"kept"}`,
    );
});

test("a sign-in code under the name code is taken out, and wherever it is repeated", () => {
  const { text, secrets } = redactJson('{"type":"EMAIL_OTP","code":"176635","b":{"code": 176636}}');
  expect(text).toBe('{"type":"EMAIL_OTP","code":"[redacted]","b":{"code":"[redacted]"}}');
  expect(secrets).toEqual(["176635", "176636"]);
});

test.each([
  { code: "0a1b2c3d", list: [{ code: "12345678" }], amount: 176635, n: ["176635"] },
  { id: "Token:1", tokenId: "Token:1", tokens: ["Token:1"] },
  { code: "CONFLICT", currency: { code: "USD" }, postalCode: "69003", swiftCode: "X" },
  { otpLength: 6, expiresAt: "2026-01-05T09:00:00.000Z", permissions: ["VIEW"] },
  { token: null, password: true },
])("%j is shown as it is", (value) => {
  expect(redactJson(JSON.stringify(value)).text).toBe(JSON.stringify(value));
});

test("a secret that gives itself away is taken out of any member", () => {
  const text = JSON.stringify({
    note: "use sk_sim_7oBvO_kug26",
    pem: "-----BEGIN PRIVATE KEY-----\nMIGH",
    list: ["sk_sim_1"],
    payloadToSign: JSON.stringify({ oidcToken: "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJ4In0.c2ln" }),
  });
  expect(redactJson(text).text).toBe(
    '{"note":"[redacted]","pem":"[redacted]","list":["[redacted]"],"payloadToSign":"[redacted]"}',
  );
});

test("JSON that is cut off anywhere gives nothing away", () => {
  const secret = "hush-hush-hush";
  const whole = JSON.stringify({ a: [1, { otp: secret, b: "x" }], clientSecret: { s: secret } });
  for (let end = 0; end <= whole.length; end += 1)
    expect(redactJson(whole.slice(0, end)).text).not.toContain("hush-h");
});

test("any JSON stays JSON, and stays itself where no name is secret", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(() => JSON.parse(redactJson(text).text)).not.toThrow();
      if (!/secret|pass|token|otp|auth|sign|key|code|cvv|cvc|pin|stamp|encrypted/i.test(text))
        expect(redactJson(text).text).toBe(text);
    }),
  );
});

test("secrets that were taken out are known, to be taken out elsewhere too", () => {
  const { secrets } = redactJson('{"otp":"418203","pin":"12","password":"hunter22"}');
  expect(secrets).toEqual(["418203", "hunter22"]);
  expect(withoutSecrets('Expected a code but found "418203"', secrets)).toBe(
    'Expected a code but found "[redacted]"',
  );
});

const HEX_KEY = "0123456789abcdef".repeat(4);
const JWT = "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl";
const UUID = "019b8d62-b518-7000-8000-a5f7d08e4b17";

test.each([
  ["/agents/device-codes/SERVICE-AGENT-ABCD-2345/redeem", "/agents/device-codes/[redacted]/redeem"],
  ["/agents/device-codes/anything/status", "/agents/device-codes/[redacted]/status"],
  ["/agents/device-codes/mistyped", "/agents/device-codes/[redacted]"],
  ["/agents/device%2Dcodes/mistyped", "/agents/device%2Dcodes/[redacted]"],
  ["/quotes/service-agent-abcd-2345", "/quotes/[redacted]"],
  ["/quotes/SERVICE%2DAGENT-ABCD-2345", "/quotes/[redacted]"],
  ["/quotes/%53ERVICE-AGENT-ABCD-2345/x", "/quotes/[redacted]/x"],
  ["/x/agt_0123abcd", "/x/[redacted]"],
  ["/x/sk_sim_only_for_tests", "/x/[redacted]"],
  [`/x/${JWT}`, "/x/[redacted]"],
  [`/x/${HEX_KEY}`, "/x/[redacted]"],
  ["/otp/418203/verify", "/otp/[redacted]/verify"],
  ["/access_token/x", "/access_token/[redacted]"],
])("of the path %s is shown %s", (path, shown) => {
  expect(redactPath(path).text).toBe(shown);
});

test.each([
  "/",
  "/config",
  `/quotes/Quote:${UUID}/execute`,
  `/quotes/Quote%3A${UUID}`,
  `/quotes/${UUID}`,
  `/tokens/Token:${UUID}`,
  `/agents/Agent:${UUID}/device-codes`,
  "/receiver/uma/$success.usd@sandbox.uma.test",
  "/customers/bulk/csv",
  "/invitations/0a1b2c3d/claim",
  "/broken%zz/path",
  `/${"x".repeat(200)}`,
])("the path %s is shown as it is", (path) => {
  expect(redactPath(path)).toEqual({ text: path, secrets: [] });
});

test("a query is shown without its secrets", () => {
  expect(redactQuery("?customerId=Customer%3A1&currency=USD&token=abc")).toBe(
    "customerId=Customer%3A1&currency=USD&token=%5Bredacted%5D",
  );
  expect(redactQuery(`?cursor=${HEX_KEY}`)).toBe("cursor=%5Bredacted%5D");
});

test("what was taken out of a path or a query is known, as it came and decoded", () => {
  expect(redactPath("/device-codes/a%2Db/x").secrets).toEqual(["a%2Db", "a-b"]);
  const query = new URLSearchParams(`token=abc&limit=5&cursor=${HEX_KEY}&agt_12=1&status=PENDING`);
  expect(secretsInQuery(query)).toEqual(["abc", HEX_KEY, "agt_12"]);
});

test.each(["SERVICE-AGENT-ABCD-2345", "service-agent-abcd-2345", "agt_0123abcd"])(
  "%s is taken out of any member",
  (secret) => {
    expect(redactJson(JSON.stringify({ code: secret, says: `No ${secret} here` })).text).toBe(
      '{"code":"[redacted]","says":"[redacted]"}',
    );
  },
);

/** With a pattern that goes back over what it read, each of these takes minutes. */
const MEBIBYTE = 1024 * 1024;

test("a mebibyte of spaces behind a secret's name is read in one go", () => {
  const spaces = "\t".repeat(MEBIBYTE);
  expect(redactJson(`{"token":${spaces}\0`).text).toBe('{"token":"[redacted]"');
  expect(redactJson(`{"token":${spaces}true}`).text).toBe(`{"token":${spaces}true}`);
});

test.each([
  { of: "heads of tokens", text: "eyJhbGciOi".repeat(100_000), isSecret: false },
  { of: "a token's head without its end", text: `eyJ${"a".repeat(MEBIBYTE)}`, isSecret: false },
  { of: "dots and heads", text: ".eyJ".repeat(250_000), isSecret: false },
  { of: "a token behind letters", text: `${"a".repeat(MEBIBYTE)}eyJhbGciOiJ.eyJ`, isSecret: true },
])("a mebibyte of $of is read in one go", ({ text, isSecret }) => {
  expect(isSecretValue(text)).toBe(isSecret);
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { redactJson, withoutSecrets } from "../../src/http/redaction.ts";

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
];

test.each(SECRET_NAMES)("a member %s is taken out, whatever it holds", (name) => {
  for (const value of ["hush", 123456, { s: "hush" }, [["hush"]], 'a "quoted" \\ hush'])
    expect(redactJson(JSON.stringify({ a: 1, [name]: value, z: "kept" })).text).toBe(
      `{"a":1,"${name}":"[redacted]","z":"kept"}`,
    );
});

test.each([
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

import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { environmentOf } from "../../../src/cli/frame/environment.ts";

const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const PEM = publicKey.export({ type: "spki", format: "pem" }).toString();
const DER = publicKey.export({ type: "spki", format: "der" });

const environment = environmentOf({
  url: "http://127.0.0.1:4747",
  apiUrl: "http://127.0.0.1:4747/2025-10-13",
  controlUrl: "http://127.0.0.1:4747/_sim",
  clientId: "sandbox",
  clientSecret: "it's; a $(secret) \\ `x`",
  webhookPublicKey: PEM,
  brand: {
    word: "acme",
    env: [{ ACME_KEY: "webhookPublicKey", ACME_PEM: "webhookPublicKeyPem", ACME_ID: "clientId" }],
  },
});

/** Variables whose value is on several lines. */
const ON_LINES = ["SERVICE_SIM_WEBHOOK_PUBLIC_KEY", "ACME_PEM"];

describe("each variable", () => {
  test.each(Object.entries(environment).filter(([name]) => !ON_LINES.includes(name)))(
    "%s is on one line that a header carries",
    (_name, value) => {
      expect(value).not.toMatch(/[\r\n]/);
      expect(new Headers({ "x-value": value }).get("x-value")).toBe(value);
    },
  );

  test.each(ON_LINES)("%s is PEM as it is", (name) => {
    expect(environment[name]).toBe(PEM);
  });
});

// spec/brand.md#file
test.each(["SERVICE_SIM_WEBHOOK_PUBLIC_KEY_BASE64", "ACME_KEY"])(
  "%s is the key on one line, base64 of its DER",
  (name) => {
    const der = Buffer.from(environment[name] ?? "", "base64");
    expect(der.equals(DER)).toBe(true);
    expect(createPublicKey({ key: der, type: "spki", format: "der" }).equals(publicKey)).toBe(true);
  },
);

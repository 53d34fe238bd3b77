import { X509Certificate } from "node:crypto";
import { rootCertificates } from "node:tls";
import { expect, test } from "vitest";
import { certificatesIn, trustedPem } from "../../src/crypto/certificates.ts";

const [first = "", second = ""] = rootCertificates;

test("certificates are taken out of a text, and nothing else of it", () => {
  const found = certificatesIn(`of a friend\n${first}\n\n# another\r\n${second}`);
  const own = [first, second].map((pem) => new X509Certificate(pem).toString().trim());
  expect(found).toEqual(own);
});

// spec/promises.md#files
test.each([
  { what: "a byte of zero", damaged: second.replace("\nM", "\nM\0") },
  { what: "no beginning", damaged: second.slice(28) },
  { what: "no end", damaged: second.slice(0, -26) },
  { what: "a flipped letter", damaged: `${second.slice(0, 40)}!${second.slice(41)}` },
  { what: "a wrong length", damaged: `${second.slice(0, 80)}${second.slice(144)}` },
])("a text is refused whole for a certificate with $what", ({ damaged }) => {
  expect(trustedPem(`${first}\n${damaged}\n`)).toBeUndefined();
  expect(trustedPem(`${damaged}\n${first}\n`)).toBeUndefined();
});

test("a text without a certificate has none", () => {
  expect(certificatesIn("")).toEqual([]);
  expect(trustedPem("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n")).toBe(
    undefined,
  );
});

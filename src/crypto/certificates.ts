import { X509Certificate } from "node:crypto";

const MARK = /-----(?:BEGIN|END) CERTIFICATE-----/g;
const BLOCK = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

/** The certificates of a text as PEM, and nothing else of it; none when one of them is unusable. */
export const certificatesIn = (text: string): string[] => {
  const blocks = text.match(BLOCK) ?? [];
  // A mark of no block is of a damaged certificate, which would be left out without a word.
  if (text.match(MARK)?.length !== 2 * blocks.length) return [];
  try {
    return blocks.map((block) => new X509Certificate(block).toString().trim());
  } catch {
    return [];
  }
};

/** The certificates of a text as one PEM; nothing when there is none. */
export const trustedPem = (text: string): string | undefined => {
  const certificates = certificatesIn(text);
  return certificates.length > 0 ? certificates.join("\n") : undefined;
};

/** Subject of a certificate on one line, and its fingerprint. */
export const certificateName = (pem: string) => {
  const { subject, fingerprint256 } = new X509Certificate(pem);
  return { subject: (subject ?? "").replace(/\s*\n\s*/g, ", "), fingerprint: fingerprint256 };
};

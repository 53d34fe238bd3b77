const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/**
 * A credential id as WebAuthn clients write it: unpadded base64url (RFC 4648, section 5). Padding,
 * the other alphabet and leftover bits are corrected. Text that is not base64 at all is taken as
 * its own bytes.
 */
export const canonicalCredentialId = (sent: string): string => {
  const isBase64 = BASE64.test(sent) && sent.replace(/={1,2}$/, "").length % 4 !== 1;
  return Buffer.from(sent, isBase64 ? "base64" : "utf8").toString("base64url");
};

import type { SecureContext } from "node:tls";
import { certificatesIn } from "../crypto/certificates.ts";
import { readUserText } from "../machine/user-text.ts";
import { Memo } from "./memo.ts";

/**
 * Loaded by the first attempt that needs it: with what it loads it takes a hundredth of a start.
 */
export const tlsModule = () => process.getBuiltinModule("node:tls");

/** Authorities that this file of the user's adds; none when it cannot be read. */
const extraAuthorities = (file = process.env.NODE_EXTRA_CA_CERTS): readonly string[] => {
  try {
    return file === undefined ? [] : certificatesIn(readUserText(file));
  } catch {
    // Node.js continues without it, too.
    return [];
  }
};

/** Authorities that Node.js trusts anyway; before 22.15 it does not list those of the user. */
const usualAuthorities = (): readonly string[] => {
  const { rootCertificates, getCACertificates } = tlsModule() as typeof import("node:tls") & {
    getCACertificates?(): string[];
  };
  return getCACertificates?.() ?? [...rootCertificates, ...extraAuthorities()];
};

/** Contexts by the certificates that they trust beside the usual ones: each reads all of them. */
const contexts = new Memo<SecureContext>((pem) =>
  tlsModule().createSecureContext({ ca: [...usualAuthorities(), pem] }),
);

/** Certificates that a receiver with TLS may have (spec/webhooks.md#certificates). */
export interface ReceiverTrust {
  /** Certificates as PEM that are trusted beside the usual authorities. */
  ca?: string | undefined;
  /** Tells if a receiver at an address may have any certificate. */
  takesAny(address: string): boolean;
}

/** Options of a connection that trusts these certificates. */
export const trustOptions = ({ ca }: ReceiverTrust) =>
  ca === undefined ? {} : { secureContext: contexts.of(ca) };

/** Problems of certificates by the code that Node.js gives them. */
const PROBLEMS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: "is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "is signed by a private authority",
  UNABLE_TO_GET_ISSUER_CERT: "is signed by an unknown authority",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "is signed by an unknown authority",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "is signed by an unknown authority",
  CERT_UNTRUSTED: "is not trusted",
  CERT_REJECTED: "is not trusted",
  CERT_HAS_EXPIRED: "has expired",
  CERT_NOT_YET_VALID: "is not valid yet",
  CERT_REVOKED: "is revoked",
  CERT_CHAIN_TOO_LONG: "has a chain that is too long",
  CERT_SIGNATURE_FAILURE: "has a wrong signature",
  INVALID_CA: "is signed by a certificate that is not an authority",
  INVALID_PURPOSE: "was issued for another purpose",
  PATH_LENGTH_EXCEEDED: "has a chain that is too long",
  HOSTNAME_MISMATCH: "was issued for another host",
  ERR_TLS_CERT_ALTNAME_INVALID: "was issued for another host",
};

const WAYS_OUT =
  "trust it with --webhook-ca <file>, or start with --insecure-webhooks for receivers on loopback";

/**
 * Explains a failed connection whose certificate was refused; nothing for other failures.
 * @param wayOut options that trust it
 */
export const certificateProblem = (
  code: string | undefined,
  wayOut = WAYS_OUT,
): string | undefined => {
  const problem = PROBLEMS[code ?? ""];
  return problem && `${code}: the receiver's certificate ${problem}; ${wayOut}`;
};

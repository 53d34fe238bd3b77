import { createHash } from "node:crypto";
import { COSE_ALGORITHM, isSignedWith, PASSKEY_ALGORITHMS, publicKeyOf } from "./cose-keys.ts";
import {
  counterProblem,
  partyProblem,
  type RelyingParty,
  relyingPartyOf,
} from "./relying-party.ts";
import { bytesOf, FailedCheck, failCheck, messageOf } from "./webauthn-check.ts";
import { type ClientData, checkClientData, decodeClientData } from "./webauthn-client-data.ts";
import {
  type AttestationObject,
  type AuthenticatorData,
  decodeAttestationObject,
  decodeAuthenticatorData,
  type Library,
  loadLibrary,
} from "./webauthn-library.ts";

// Passkeys: a relying party's checks of registration and sign-in (WebAuthn Level 3, sections 7.1
// and 7.2). The library verifies. Its refusals are checked for first, so that the answer names the
// failed step in the API's words.

/** An authenticator's answer at registration, base64url throughout. */
export interface Attestation {
  credentialId: string;
  clientDataJson: string;
  attestationObject: string;
  transports?: string[];
}

/** An authenticator's answer at sign-in, base64url throughout. */
export interface Assertion {
  credentialId: string;
  clientDataJson: string;
  authenticatorData: string;
  signature: string;
  userHandle?: string | null;
}

/** Facts of a registration for the rules; `check` names the failed step. */
export type RegistrationFacts =
  | ({
      kind: "verified";
      /** As the authenticator gave it, unpadded base64url. */
      credentialId: string;
      /** COSE_Key, base64url. */
      publicKeyCose: string;
      /** COSE number: -7 ES256, -8 EdDSA, -257 RS256. */
      algorithm: number;
      counter: number;
    } & RelyingParty)
  | { kind: "unparsable"; check: string }
  | { kind: "refused"; check: string };

/** Facts of an assertion for the rules. */
export type AssertionFacts =
  | ({ kind: "verified"; counter: number } & RelyingParty)
  | { kind: "refused"; check: string };

const SUPPORTED = Object.values(COSE_ALGORITHM);

/** Longest credential id (WebAuthn Level 3, section 7.1); its length field could hold more. */
const LONGEST_CREDENTIAL_ID = 1023;

/**
 * Formats whose statement is proven by makers' certificates and revocation lists, which would have
 * to be fetched. They count as no attestation (decisions/attestation-without-roots.md). `none`,
 * `packed` and `fido-u2f` are verified by their own bytes.
 */
const UNATTESTED = ["tpm", "android-key", "android-safetynet", "apple", "compound"];

/**
 * Checks the relying party and the user's presence. Verifying the person (UV) is left to
 * integrators.
 */
const checkPresence = (data: AuthenticatorData, client: ClientData, name: string) => {
  const { rpId, ...party } = relyingPartyOf(client.origin, data.rpIdHash, `${name}.rpIdHash`);
  if (!data.flags.up) failCheck(`${name}.flags say that no user was present (UP is 0)`);
  return { rpId, party };
};

/** Checks the new credential's id and key. */
const credentialOf = (
  data: AuthenticatorData,
  { sentId, library }: { sentId: Buffer; library: Library },
) => {
  const { credentialID, credentialPublicKey } = data;
  if (!credentialID || !credentialPublicKey)
    return failCheck("attestationObject.authData holds no credential (AT is 0)");
  if (credentialID.length > LONGEST_CREDENTIAL_ID)
    failCheck(
      `attestationObject.authData.credentialId is longer than ${LONGEST_CREDENTIAL_ID} bytes`,
    );
  if (!sentId.equals(credentialID))
    failCheck("attestation.credentialId is not the one in attestationObject.authData");
  const key: unknown = library.decodeCredentialPublicKey(credentialPublicKey);
  const name = "attestationObject.authData.credentialPublicKey";
  if (!(key instanceof Map)) return failCheck(`${name} is not a COSE key`);
  const algorithm: unknown = key.get(library.cose.COSEKEYS.alg);
  if (typeof algorithm !== "number" || !SUPPORTED.includes(algorithm))
    return failCheck(`${name} is for none of ${PASSKEY_ALGORITHMS.join(", ")}`);
  const publicKey = publicKeyOf(key) ?? failCheck(`${name} is not a valid key for its algorithm`);
  return { id: credentialID, cose: credentialPublicKey, algorithm, publicKey };
};

type Credential = ReturnType<typeof credentialOf>;

/**
 * Checks a packed statement without certificates, which the new key itself signs (section 8.2). The
 * library would accept any algorithm and lenient DER.
 */
const checkSelfAttestation = (
  { fmt, attStmt, authData }: AttestationObject,
  { client, credential }: { client: ClientData; credential: Credential },
) => {
  if (fmt !== "packed" || attStmt.has("x5c")) return;
  if (attStmt.get("alg") !== credential.algorithm)
    failCheck("attestationObject.attStmt.alg is not the algorithm of the credential's key");
  const signature = attStmt.get("sig");
  if (
    !(signature instanceof Uint8Array) ||
    !isSignedWith(credential.publicKey, signedBytes(authData, client), signature)
  )
    failCheck("attestationObject.attStmt.sig does not verify with the credential's key");
};

/** The bytes that an authenticator signs (section 6.3.3). */
const signedBytes = (authenticatorData: Uint8Array, { bytes }: ClientData) =>
  Buffer.concat([
    authenticatorData,
    createHash("sha256").update(Buffer.from(bytes, "base64url")).digest(),
  ]);

const withoutStatement = (authData: Uint8Array, { isoCBOR }: Library) =>
  isoCBOR.encode(
    new Map<string, string | Map<never, never> | Uint8Array>([
      ["fmt", "none"],
      ["attStmt", new Map<never, never>()],
      ["authData", authData],
    ]),
  );

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");

const registrationFacts = async (
  attestation: Attestation,
  challenge: string,
): Promise<RegistrationFacts> => {
  const sentId = bytesOf(attestation.credentialId, "attestation.credentialId");
  const client = decodeClientData(attestation.clientDataJson);
  const object = bytesOf(attestation.attestationObject, "attestationObject");
  const library = await loadLibrary();
  // Read everything before judging anything: unreadable bytes are another verdict.
  const parts = decodeAttestationObject(object, library);
  const { fmt, authData } = parts;
  const data = decodeAuthenticatorData(authData, library, "attestationObject.authData");
  checkClientData(client, { type: "webauthn.create", challenge });
  const { rpId, party } = checkPresence(data, client, "attestationObject.authData");
  const credential = credentialOf(data, { sentId, library });
  checkSelfAttestation(parts, { client, credential });
  const isAttested = !UNATTESTED.includes(fmt);
  const id = base64url(sentId);
  const verdict = await library
    .verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: "public-key",
        response: {
          clientDataJSON: client.bytes,
          attestationObject: base64url(isAttested ? object : withoutStatement(authData, library)),
        },
        clientExtensionResults: {},
      },
      expectedChallenge: client.challenge,
      expectedOrigin: client.origin,
      ...(rpId !== undefined && { expectedRPID: rpId }),
      requireUserVerification: false,
      supportedAlgorithmIDs: SUPPORTED,
    })
    .catch((error: unknown) => failCheck(`attestationObject: ${messageOf(error)}`));
  if (!verdict.verified)
    return failCheck(`attestationObject.attStmt of format ${fmt} does not verify`);
  return {
    kind: "verified",
    credentialId: base64url(credential.id),
    publicKeyCose: base64url(credential.cose),
    algorithm: credential.algorithm,
    counter: data.counter,
    ...party,
  };
};

/**
 * Verifies the result of `navigator.credentials.create()`. Never throws.
 * @param input.challenge the text that the integrator sent
 */
export const verifyRegistration = async (input: {
  attestation: Attestation;
  challenge: string;
}): Promise<RegistrationFacts> => {
  try {
    return await registrationFacts(input.attestation, input.challenge);
  } catch (error) {
    const isUnparsable = error instanceof FailedCheck && error.isUnparsable;
    return { kind: isUnparsable ? "unparsable" : "refused", check: checkOf(error, "attestation") };
  }
};

const checkOf = (error: unknown, what: string) =>
  error instanceof FailedCheck ? error.message : `${what} cannot be checked: ${messageOf(error)}`;

interface StoredPasskey extends Partial<RelyingParty> {
  credentialId: string;
  publicKeyCose: string;
  counter: number;
}

const failOn = (problem: string | undefined) => {
  if (problem !== undefined) failCheck(problem);
};

const NO_FIT = "signature does not verify with the registered public key";

/** An assertion as bytes. */
interface ReadAssertion {
  client: ClientData;
  id: string;
  authenticatorData: Buffer;
  signature: Buffer;
}

const checkWithLibrary = async (
  library: Library,
  { client, id, authenticatorData, signature }: ReadAssertion,
  expected: { rpId: string; publicKey: Uint8Array<ArrayBuffer>; counter: number },
) => {
  const verdict = await library
    .verifyAuthenticationResponse({
      response: {
        id,
        rawId: id,
        type: "public-key",
        response: {
          clientDataJSON: client.bytes,
          authenticatorData: base64url(authenticatorData),
          signature: base64url(signature),
        },
        clientExtensionResults: {},
      },
      expectedChallenge: client.challenge,
      expectedOrigin: client.origin,
      expectedRPID: expected.rpId,
      ...(client.topOrigin !== undefined && { expectedTopOrigin: client.topOrigin }),
      requireUserVerification: false,
      credential: { id, publicKey: expected.publicKey, counter: expected.counter },
    })
    .catch((error: unknown) => failCheck(`signature: ${messageOf(error)}`));
  if (!verdict.verified) failCheck(NO_FIT);
};

const assertionFacts = async (
  assertion: Assertion,
  challenge: string,
  passkey: StoredPasskey,
): Promise<AssertionFacts> => {
  const id = bytesOf(assertion.credentialId, "assertion.credentialId");
  if (!id.equals(bytesOf(passkey.credentialId, "the registered credentialId")))
    failCheck("assertion.credentialId is not the registered one");
  const client = decodeClientData(assertion.clientDataJson);
  checkClientData(client, { type: "webauthn.get", challenge });
  const library = await loadLibrary();
  const bytes = bytesOf(assertion.authenticatorData, "authenticatorData");
  const data = decodeAuthenticatorData(bytes, library, "authenticatorData");
  const { rpId, party } = checkPresence(data, client, "authenticatorData");
  failOn(partyProblem(party, passkey));
  failOn(counterProblem(data.counter, passkey.counter));
  const signature = bytesOf(assertion.signature, "signature");
  const publicKey = Uint8Array.from(bytesOf(passkey.publicKeyCose, "the registered public key"));
  const read = { client, id: base64url(id), authenticatorData: bytes, signature };
  // The library needs the text of the RP ID, which an app's origin does not contain.
  if (rpId !== undefined)
    await checkWithLibrary(library, read, { rpId, publicKey, counter: passkey.counter });
  // The library accepts lenient DER, which production may refuse.
  const key = publicKeyOf(library.decodeCredentialPublicKey(publicKey) as Map<unknown, unknown>);
  if (!key || !isSignedWith(key, signedBytes(bytes, client), signature)) failCheck(NO_FIT);
  return { kind: "verified", counter: data.counter, ...party };
};

/**
 * Verifies the result of `navigator.credentials.get()`. Never throws.
 * @param input.challenge the text that was issued
 * @param input.passkey facts from `verifyRegistration`, with the counter of the last sign-in
 */
export const verifyAssertion = async (input: {
  assertion: Assertion;
  challenge: string;
  passkey: StoredPasskey;
}): Promise<AssertionFacts> => {
  try {
    return await assertionFacts(input.assertion, input.challenge, input.passkey);
  } catch (error) {
    return { kind: "refused", check: checkOf(error, "assertion") };
  }
};

import type { Mail } from "../../contract/wallets/mails.ts";
import { callPlatform, type PlatformCall } from "../call-platform.ts";
import { type Control, Refused } from "../control.ts";
import {
  type ClientKeys,
  makeClientKeys,
  openSessionKey,
  scalarOf,
  sealCode,
  stampOf,
} from "../crypto/wallet-session.ts";

/** One step of a sign-in: what was done, by which call or code, and what it gave. */
export interface SignInStep {
  says: string;
  /** The call, as a developer makes it, or the code of the client. */
  how: string;
  gave: string;
}

interface Credential {
  id: string;
  type: string;
}

interface Session {
  id: string;
  expiresAt: string;
  encryptedSessionSigningKey: string;
}

/** A credential whose code was mailed, and the bundle that the code is sealed to. */
interface Mailed {
  id: string;
  /** Set where codes travel sealed. */
  bundle: string | undefined;
}

type Tell = (step: SignInStep) => void;

const refuse = (code: string, message: string): never => {
  throw new Refused(0, { error: { code, message, next: [] } });
};

const shownCall = (method: string, path: string, body?: object) =>
  [`${method} ${path}`, ...(body ? [JSON.stringify(body, null, 2)] : [])].join("\n");

/** The wallet's email credential with a fresh code on its way; made where there is none. */
const mailedCredential = async (
  control: Control,
  { wallet, email, tell }: { wallet: string; email: string; tell(step: SignInStep): void },
): Promise<Mailed> => {
  const { data } = await callPlatform<{ data: readonly Credential[] }>(control, {
    operationId: "listCredentials",
    query: { accountId: wallet },
  });
  const known = data.find(({ type }) => type === "EMAIL_OTP");
  const body = known ? {} : { type: "EMAIL_OTP", accountId: wallet, email };
  const made = await callPlatform<Partial<Credential> & { otpEncryptionTargetBundle?: string }>(
    control,
    known
      ? { operationId: "challengeCredential", params: { id: known.id }, body }
      : { operationId: "createCredential", body },
  );
  const id =
    known?.id ??
    made.id ??
    refuse("SIGNED_CREATION", "The wallet has another credential: adding one must be signed");
  tell({
    says: known ? "Have a code mailed" : "Create an email credential, which mails a code",
    how: known
      ? shownCall("POST", `/auth/credentials/${id}/challenge`)
      : shownCall("POST", "/auth/credentials", body),
    gave: `credential ${id}`,
  });
  return { id, bundle: made.otpEncryptionTargetBundle };
};

const mailedCode = async (control: Control, wallet: string, credential: string) => {
  const path = `/inbox?account=${encodeURIComponent(wallet)}`;
  const { data } = await control.get<{ data: readonly Mail[] }>(path);
  const mail = data.find(({ credentialId }) => credentialId === credential);
  return mail?.code ?? refuse("NO_MAIL", "No mail of this credential is in the inbox");
};

interface Challenge {
  payloadToSign: string;
  requestId: string;
}

/** Headers of a call that answers a challenge. */
const signedBy = async ({ payloadToSign, requestId }: Challenge, keyHex: string) => ({
  "Request-Id": requestId,
  "Service-Wallet-Signature": await stampOf(payloadToSign, keyHex),
});

/** The second call of a challenge, as a developer makes it. */
const shownSigned = (method: string, path: string, [body, headers]: readonly [object, object]) =>
  [
    `${method} ${path}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    JSON.stringify(body),
  ].join("\n");

/** Sends the wallet its own privacy setting, signed: the least that needs a signature. */
const signSomething = async (
  control: Control,
  { wallet, isPrivate, keyHex }: { wallet: string; isPrivate: boolean; keyHex: string },
  tell: (step: SignInStep) => void,
) => {
  const body = { privateEnabled: isPrivate };
  const path = `/internal-accounts/${wallet}`;
  const call: PlatformCall = {
    method: "PATCH",
    path: `/internal-accounts/${encodeURIComponent(wallet)}`,
    body,
  };
  const challenge = await callPlatform<Challenge>(control, call);
  tell({
    says: "Ask for a challenge",
    how: shownCall("PATCH", path, body),
    gave: `202, payloadToSign and requestId ${challenge.requestId}`,
  });
  const headers = await signedBy(challenge, keyHex);
  await callPlatform(control, { ...call, headers });
  tell({
    says: "Sign it, and send the call again",
    how: shownSigned("PATCH", path, [body, headers]),
    gave: "200, the signature verifies",
  });
};

/** The facts that prove a credential. */
interface Proof {
  credential: string;
  code: string;
  keys: ClientKeys;
}

const SUITE =
  "HPKE: DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-256-GCM; info turnkey_hpke; additional data: both points";

const untilOf = ({ id, expiresAt }: Session) =>
  `session ${id}, valid until ${expiresAt.slice(11, 19)}`;

/** Sends the code as it is. @returns the key that the session came with, hex */
const proveOpenly = async (control: Control, { credential, code, keys }: Proof, tell: Tell) => {
  const body = { type: "EMAIL_OTP", otp: code, clientPublicKey: keys.publicKey };
  const params = { id: credential };
  const call = { operationId: "verifyCredential", params, body } as const;
  const session = await callPlatform<Session>(control, call);
  tell({
    says: "Prove the credential",
    how: shownCall("POST", `/auth/credentials/${credential}/verify`, body),
    gave: untilOf(session),
  });
  const keyHex = await openSessionKey(session.encryptedSessionSigningKey, keys);
  tell({
    says: "Open the session's key",
    how: SUITE,
    gave: "a P-256 private key, which stays in this page",
  });
  return keyHex;
};

/** Seals the code, and signs the challenge that it gives. @returns the client's own key, hex */
const proveSealed = async (
  control: Control,
  { credential, code, keys, bundle }: Proof & { bundle: string },
  tell: Tell,
) => {
  const encryptedOtpBundle = await sealCode(bundle, code, keys);
  tell({ says: "Seal the code to the bundle's key", how: SUITE, gave: "a bundle" });
  const body = { type: "EMAIL_OTP", encryptedOtpBundle };
  const params = { id: credential };
  const call = { operationId: "verifyCredential", params, body } as const;
  const asked = await callPlatform<Challenge>(control, call);
  const path = `/auth/credentials/${credential}/verify`;
  tell({
    says: "Send the sealed code",
    how: shownCall("POST", path, body),
    gave: "202, payloadToSign",
  });
  const keyHex = await scalarOf(keys);
  const headers = await signedBy(asked, keyHex);
  const session = await callPlatform<Session>(control, { ...call, headers });
  tell({
    says: "Sign it with the client's key, and send it again",
    how: shownSigned("POST", path, [body, headers]),
    gave: untilOf(session),
  });
  return keyHex;
};

/**
 * Signs in to a wallet as its owner's client does, and signs one call.
 * @param tell gets each step once it is done
 * @returns the id of the credential
 * @throws Refused with the platform's own words
 */
export const signIn = async (
  control: Control,
  { wallet, email, isPrivate }: { wallet: string; email: string; isPrivate: boolean },
  tell: (step: SignInStep) => void,
): Promise<string> => {
  const { id: credential, bundle } = await mailedCredential(control, { wallet, email, tell });
  const keys = await makeClientKeys();
  tell({
    says: "Make the client's key pair",
    how: 'crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"])',
    gave: `clientPublicKey ${keys.publicKey}`,
  });
  const otp = await mailedCode(control, wallet, credential);
  tell({ says: "Read the code in the inbox", how: "GET /_sim/inbox", gave: `code ${otp}` });
  const proof = { credential, code: otp, keys };
  const keyHex =
    bundle === undefined
      ? await proveOpenly(control, proof, tell)
      : await proveSealed(control, { ...proof, bundle }, tell);
  await signSomething(control, { wallet, isPrivate, keyHex }, tell);
  return credential;
};

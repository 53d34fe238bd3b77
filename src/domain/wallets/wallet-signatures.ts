import { MAGIC_VALUES } from "../../contract/core/magic-values.ts";
import { isSignatureOver, parseWalletSignature } from "../../crypto/wallet-signatures.ts";
import type { Draft, Moment } from "../core/draft.ts";
import { checkNow, type FindFact } from "../core/facts.ts";
import { refuseByRule } from "../core/refusal.ts";
import { isChanged, takenElsewhere } from "../core/revision.ts";
import { ruleName } from "../outcomes/rule-names.ts";
import type { SessionRecord } from "../records/wallet-records.ts";
import { cryptoMode } from "./crypto-mode.ts";
import { GENUINE_PROOF } from "./proof-rules.ts";
import { activeSessions } from "./sessions.ts";
import type { SigningRequest } from "./signed-operations.ts";

const refused = (check: string): never =>
  refuseByRule(GENUINE_PROOF, "INVALID_WALLET_SIGNATURE", { check });

/**
 * The sessions that may sign, and the reason why others may not
 * (spec/signed-retry.md#entitled-signer).
 */
const entitled = (sessions: readonly SessionRecord[], { objection }: SigningRequest) =>
  sessions.filter((session) => objection?.(session) === undefined);

/** A signature in a header, as far as the rule knows it. */
interface Signature {
  form:
    | { form: "stamp"; publicKeyHex: string }
    | { form: "bare" }
    | { form: "malformed"; check: string };
  /** Whether the key of a session made it over the text to sign. */
  fits(session: Pick<SessionRecord, "publicKeyHex">): boolean;
}

/** Has the facts of a header found: its form, and each key that it is tried with. */
const signatureIn = (header: string, payload: string, find: FindFact): Signature => {
  let der: Buffer | undefined;
  const form = find("wallet signature", (): Signature["form"] => {
    const parsed = parseWalletSignature(header);
    if (parsed.form === "malformed") return parsed;
    const { der: bytes, ...rest } = parsed;
    der = bytes;
    return rest;
  });
  return {
    form,
    fits: ({ publicKeyHex }) =>
      find("signed with", () => !!der && isSignatureOver(payload, { der, publicKeyHex })),
  };
};

const requireStamp = (
  sessions: readonly SessionRecord[],
  { publicKeyHex, fits }: { publicKeyHex: string; fits: Signature["fits"] },
  request: SigningRequest,
) => {
  const signer = sessions.find((session) => session.publicKeyHex === publicKeyHex);
  if (!signer) return refused("stamp.publicKey is not an active session of this account");
  const objection = request.objection?.(signer);
  if (objection !== undefined) return refused(objection);
  if (!fits(signer)) refused("stamp.signature does not match payloadToSign");
};

const requireBare = (
  sessions: readonly SessionRecord[],
  fits: Signature["fits"],
  request: SigningRequest,
) => {
  if (sessions.length === 0) return refused("no session of this account is active");
  if (entitled(sessions, request).some(fits)) return;
  const other = sessions.find(fits);
  refused(
    (other && request.objection?.(other)) ??
      "the signature does not match payloadToSign for any active session's key",
  );
};

/**
 * Decides a signature by the crypto mode alone, where that is possible.
 * @returns true for the magic value in a mode that takes it
 */
const isMagicSignature = (draft: Draft, signature: string): boolean => {
  const mode = cryptoMode(draft);
  if (signature === MAGIC_VALUES.walletSignature) {
    if (mode === "strict") refused("--crypto strict accepts no magic value");
    draft.decidedBy(ruleName("walletProof", signature));
    return true;
  }
  draft.decidedBy(GENUINE_PROOF);
  if (mode === "magic-only")
    refused(`--crypto magic-only accepts only ${MAGIC_VALUES.walletSignature}`);
  return false;
};

/**
 * Refuses a signature that is not a stamp of one key, which signs before its session exists
 * (spec/later-wallets.md#encrypted-codes).
 */
export const requireSignatureOfKey = (
  draft: Draft,
  {
    signature,
    payload,
    publicKeyHex,
    find = checkNow,
  }: { signature: string; payload: string; publicKeyHex: string; find?: FindFact | undefined },
) => {
  if (isMagicSignature(draft, signature)) return;
  const { form, fits } = signatureIn(signature, payload, find);
  if (form.form === "malformed") return refused(form.check);
  if (form.form === "bare") return refused("a bare signature is not a stamp");
  if (form.publicKeyHex !== publicKeyHex)
    refuseByRule(
      GENUINE_PROOF,
      "INVALID_WALLET_SIGNATURE",
      { check: "key" },
      {
        says: "The Service-Wallet-Signature was not accepted: stamp.publicKey is not the sealed key",
        next: "Sign payloadToSign with the private half of public_key in encryptedOtpBundle",
      },
    );
  if (!fits({ publicKeyHex })) refused("stamp.signature does not match payloadToSign");
};

/**
 * Refuses a `Service-Wallet-Signature` that the crypto mode does not take
 * (spec/signed-retry.md#signature-header). Accepts the magic value, a stamp, or a bare signature of
 * an active session that may sign; later revisions take no bare one. Verifies the stored text; high S is accepted.
 */
export const requireWalletSignature = (
  draft: Draft,
  {
    signature,
    payload,
    asked: request,
    find = checkNow,
  }: { signature: string; payload: string; asked: SigningRequest; find?: FindFact | undefined },
  { atMs }: Moment,
) => {
  if (isMagicSignature(draft, signature)) return;
  const { form, fits } = signatureIn(signature, payload, find);
  if (form.form === "malformed") return refused(form.check);
  const wallets = request.wallets ?? [request.wallet.id];
  const sessions = wallets.flatMap((accountId) => activeSessions(draft, accountId, atMs));
  if (form.form === "stamp") requireStamp(sessions, { ...form, fits }, request);
  else if (isChanged(draft, "fullStamps"))
    refused(`a bare signature is not a stamp; ${takenElsewhere(draft, "fullStamps")}`);
  else requireBare(sessions, fits, request);
};

import { MAGIC_VALUES } from "../../contract/core/magic-values.ts";
import { isSignatureOver, parseWalletSignature } from "../../crypto/wallet-signatures.ts";
import type { Draft, Moment } from "../core/draft.ts";
import { refuseByRule } from "../core/refusal.ts";
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

const requireStamp = (
  sessions: readonly SessionRecord[],
  { payload, asked }: { payload: string; asked: SigningRequest },
  stamp: { publicKeyHex: string; der: Buffer },
) => {
  const signer = sessions.find(({ publicKeyHex }) => publicKeyHex === stamp.publicKeyHex);
  if (!signer) return refused("stamp.publicKey is no active session of this account");
  const objection = asked.objection?.(signer);
  if (objection !== undefined) return refused(objection);
  if (!isSignatureOver(payload, stamp)) refused("stamp.signature does not fit payloadToSign");
};

const requireBare = (
  sessions: readonly SessionRecord[],
  { payload, asked }: { payload: string; asked: SigningRequest },
  der: Buffer,
) => {
  if (sessions.length === 0) return refused("no session of this account is active");
  const fits = ({ publicKeyHex }: SessionRecord) => isSignatureOver(payload, { der, publicKeyHex });
  if (entitled(sessions, asked).some(fits)) return;
  const other = sessions.find(fits);
  refused(
    (other && asked.objection?.(other)) ??
      "the signature fits payloadToSign with no active session's key",
  );
};

/**
 * Refuses a `Service-Wallet-Signature` that the crypto mode does not take
 * (spec/signed-retry.md#signature-header). Accepts the magic value, a stamp, or a bare signature of
 * an active session that may sign. Verifies the stored text; high S is accepted.
 */
export const requireWalletSignature = (
  draft: Draft,
  { signature, payload, asked }: { signature: string; payload: string; asked: SigningRequest },
  { atMs }: Moment,
) => {
  const mode = cryptoMode(draft);
  if (signature === MAGIC_VALUES.walletSignature) {
    if (mode === "strict") refused("--crypto strict takes no magic value");
    draft.decidedBy(ruleName("walletProof", signature));
    return;
  }
  draft.decidedBy(GENUINE_PROOF);
  if (mode === "magic-only")
    refused(`--crypto magic-only takes only ${MAGIC_VALUES.walletSignature}`);
  const parsed = parseWalletSignature(signature);
  if (parsed.form === "malformed") return refused(parsed.check);
  const wallets = asked.wallets ?? [asked.wallet.id];
  const sessions = wallets.flatMap((accountId) => activeSessions(draft, accountId, atMs));
  if (parsed.form === "stamp") requireStamp(sessions, { payload, asked }, parsed);
  else requireBare(sessions, { payload, asked }, parsed.der);
};

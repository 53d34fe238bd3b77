import type { SentAuthMethod } from "../../contract/wallets/credentials.ts";
import { targetBundle } from "../../crypto/code-bundles.ts";
import { publicKeyOf } from "../../crypto/p256.ts";
import { sessionKeyFrom } from "../../crypto/session-keys.ts";
import { HEX, type Moment, type View } from "../core/draft.ts";
import { type LaterMembers, shownIn } from "../core/revision.ts";
import type { AuthMethodRecord } from "../records/wallet-records.ts";
import { showAuthMethod, walletOf } from "./auth-methods.ts";
import { providerNames } from "./wallet-activities.ts";

/** Hex characters of the key's entropy. */
const ENTROPY_HEX = 96;

/**
 * The private scalar that signs bundles, verification tokens and exports of a world, hex; its seed
 * decides it (spec/later-wallets.md#quorum-key).
 */
export const quorumKeyHex = ({ derive }: Pick<Moment, "derive">): string =>
  sessionKeyFrom(derive("otp-quorum-key", ENTROPY_HEX, HEX)).privateKeyHex;

/** The public half of that key, uncompressed. */
export const quorumKey = (moment: Pick<Moment, "derive">): string =>
  publicKeyOf(quorumKeyHex(moment), "uncompressed");

interface Sent {
  method: AuthMethodRecord;
  moment: Moment;
}

const bundleOf = (view: View, { method, moment }: Sent): string | undefined => {
  const targetPrivateHex = method.otp?.targetKeyHex;
  if (targetPrivateHex === undefined) return undefined;
  const { organizationId } = providerNames(walletOf(view, method.accountId));
  return targetBundle({ targetPrivateHex, organizationId, signerHex: quorumKeyHex(moment) });
};

const LATER_MEMBERS: LaterMembers<SentAuthMethod, Sent> = {
  otpEncryptionTargetBundle: { since: "encryptedCodes", value: bundleOf },
};

/**
 * Shows a credential whose code was just sent, with the key to seal it to
 * (spec/later-wallets.md#encrypted-codes).
 */
export const showSent = (view: View, id: string, moment: Moment): SentAuthMethod => {
  const method = view.get("AuthMethod", id) as AuthMethodRecord;
  const shown: SentAuthMethod = showAuthMethod(method);
  return shownIn(view, shown, [{ method, moment }, LATER_MEMBERS]);
};

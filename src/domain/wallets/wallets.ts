import type { InternalAccount } from "../../contract/accounts/internal-accounts.ts";
import { digestHex } from "../../crypto/digest.ts";
import { mnemonicFrom } from "../../crypto/mnemonics.ts";
import { accountByPath, showInternalAccount } from "../accounts/internal-accounts.ts";
import { canonicalJson } from "../core/canonical-json.ts";
import { HEX, type Moment, type View } from "../core/draft.ts";
import type { InternalAccountRecord } from "../records/records.ts";
import { requireWallet } from "./auth-methods.ts";
import { quorumKeyHex } from "./code-signer.ts";
import type { SignedCall, SignedOperation } from "./signed-operations.ts";
import { providerNames } from "./wallet-activities.ts";

interface WalletPath {
  params: { accountId: string };
  call: SignedCall;
}

const walletByPath = (view: View, input: WalletPath, moment: Moment): InternalAccountRecord =>
  requireWallet(accountByPath(view, input, moment), "accountId");

/** PATCH /internal-accounts/{id}: switches wallet privacy (spec/wallets.md#privacy). */
export const setPrivacy: SignedOperation<
  WalletPath & { body: { privateEnabled: boolean } },
  InternalAccount
> = (view, input, now) => {
  const wallet = walletByPath(view, input, now);
  return {
    toSign: {
      wallet,
      activity: {
        type: "ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2",
        parameters: {
          encoding: "PAYLOAD_ENCODING_HEXADECIMAL",
          hashFunction: "HASH_FUNCTION_NO_OP",
          payload: digestHex(canonicalJson(input.body)),
          signWith: providerNames(wallet).signWith,
        },
      },
    },
    apply: (draft, { atMs }) => {
      const { privateEnabled } = input.body;
      const changed = { ...wallet, privateEnabled, updatedAtMs: atMs };
      draft.put("InternalAccount", changed);
      return showInternalAccount(draft, changed);
    },
  };
};

const ENTROPY_HEX = 32;

/** The part of a wallet that is sealed to the exporting client. */
export interface WalletSecret {
  id: string;
  mnemonic: string;
  organizationId: string;
  /** Private scalar that signs the export, hex; absent where none does. */
  signerHex?: string;
}

type ExportInput = WalletPath & { body: { clientPublicKey: string } };

/** POST /internal-accounts/{id}/export: the same words on every export (spec/wallets.md#export). */
export const exportWallet: SignedOperation<ExportInput, WalletSecret> = (view, input, now) => {
  const wallet = walletByPath(view, input, now);
  const { walletId, organizationId } = providerNames(wallet);
  return {
    toSign: {
      wallet,
      activity: {
        type: "ACTIVITY_TYPE_EXPORT_WALLET",
        parameters: { targetPublicKey: input.body.clientPublicKey, walletId },
      },
    },
    apply: (_draft, moment) => {
      const entropyHex = moment.derive(`wallet-words ${wallet.id}`, ENTROPY_HEX, HEX);
      return { id: wallet.id, mnemonic: mnemonicFrom(entropyHex), organizationId };
    },
  };
};

/** The same, signed by the world's own key (spec/later-wallets.md#signed-exports). */
export const exportSigned: SignedOperation<ExportInput, WalletSecret> = (view, input, now) => {
  const { toSign, apply } = exportWallet(view, input, now);
  return {
    toSign,
    apply: (draft, moment) => ({ ...apply(draft, moment), signerHex: quorumKeyHex(moment) }),
  };
};

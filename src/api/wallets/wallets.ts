import { InternalAccount } from "../../contract/accounts/internal-accounts.ts";
import { WalletExportInput } from "../../contract/wallets/credentials.ts";
import { PrivacyInput, WalletExport } from "../../contract/wallets/wallets.ts";
import { sealWalletExport } from "../../crypto/sealing.ts";
import { accountByPath } from "../../domain/accounts/internal-accounts.ts";
import { Challenged, signedRetry } from "../../domain/wallets/signed-retry.ts";
import * as wallets from "../../domain/wallets/wallets.ts";
import type { Call } from "../../http/door/call.ts";
import { endpoint } from "../../http/door/endpoint.ts";
import { entropyFor, requireSealable } from "./session-keys.ts";

const WALLET_REFUSALS = ["REFERENCE_NOT_FOUND", "NOT_A_WALLET"] as const;

export const setPrivacy = endpoint("updateInternalAccount", {
  summary: "Turn a wallet's privacy on or off",
  signing: "retry",
  body: PrivacyInput,
  replies: [200, InternalAccount],
  refuses: WALLET_REFUSALS,
  subject: accountByPath,
  handle: ({ params, body }, { commit, signed }) =>
    commit(signedRetry(wallets.setPrivacy), { params, body, call: signed }),
});

type Export = typeof wallets.exportWallet;

/** Exports a wallet by a rule, and seals its words to the client. */
const exportBy =
  (rule: Export) =>
  async ({ params, body }: Omit<Parameters<Export>[1], "call">, call: Call) => {
    const { clientPublicKey } = body;
    requireSealable(clientPublicKey);
    const input = { params, body, call: call.signed };
    const secret = call.commit(signedRetry(rule), input);
    if (secret instanceof Challenged) return secret;
    const { id, ...sealed } = secret;
    const entropyHex = entropyFor(call, "wallet-seal");
    const encryptedWalletCredentials = await sealWalletExport({
      ...sealed,
      clientPublicKey,
      entropyHex,
    });
    return { id, encryptedWalletCredentials };
  };

export const exportWallet = endpoint("exportWallet", {
  summary: "Export a wallet's mnemonic, sealed to the client",
  signing: "retry",
  body: WalletExportInput,
  replies: [200, WalletExport],
  refuses: WALLET_REFUSALS,
  subject: accountByPath,
  later: { change: "signedExports", handle: exportBy(wallets.exportSigned) },
  handle: exportBy(wallets.exportWallet),
});

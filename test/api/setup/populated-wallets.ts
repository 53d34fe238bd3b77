import type { TestSimulator } from "../../setup/test-simulator.ts";
import { PASSKEY_BODY, WalletClient } from "../wallets/setup/wallet-client.ts";
import type { KnownIds } from "./populated.ts";

/** The base point of P-256. */
const CLIENT_KEY =
  "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296" +
  "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5";

/** Ids of a wallet with an email credential and a session, and of a passkey on another wallet. */
export const populateWallets = async (world: TestSimulator): Promise<KnownIds> => {
  const wallet = await WalletClient.create(world, { email: "lena@old.example" });
  const other = await WalletClient.create(world);
  const credentialId = await wallet.addEmail("lena@old.example");
  return {
    walletId: wallet.accountId,
    credentialId,
    sessionId: (await wallet.signIn(credentialId)).id,
    passkeyId: await other.addPasskey(),
  };
};

/** The record behind a path's parameter, where its name does not tell. */
export const WALLET_ID_NAMES: Record<string, string> = {
  deleteCredential: "credentialId",
  challengeCredential: "passkeyId",
  verifyCredential: "credentialId",
  deleteSession: "sessionId",
  refreshSession: "sessionId",
  updateInternalAccount: "walletId",
  exportWallet: "walletId",
};

/** Required query of an operation. */
export const NEEDED_QUERIES: Record<string, (ids: KnownIds) => string> = {
  listCredentials: ({ walletId }) => `accountId=${walletId}`,
  listSessions: ({ walletId }) => `accountId=${walletId}`,
};

/** Bodies that the operations of wallets accept, with every documented member. */
export const WALLET_BODIES: Record<string, (ids: KnownIds) => object> = {
  // A challenge is good for one passkey, and the other wallet has used the challenge of the usual
  // body.
  createCredential: ({ walletId }) => ({
    accountId: walletId,
    ...PASSKEY_BODY,
    challenge: "YW5vdGhlci1yZWctY2hhbGxlbmdlLTAxMjM0NTY3ODk",
  }),
  challengeCredential: () => ({ clientPublicKey: CLIENT_KEY }),
  verifyCredential: () => ({ type: "EMAIL_OTP", otp: "000000", clientPublicKey: CLIENT_KEY }),
  refreshSession: () => ({ clientPublicKey: CLIENT_KEY }),
  exportWallet: () => ({ clientPublicKey: CLIENT_KEY }),
  updateInternalAccount: () => ({ privateEnabled: true }),
};

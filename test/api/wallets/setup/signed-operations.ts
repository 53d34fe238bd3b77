import type { TestSimulator } from "../../../setup/test-simulator.ts";
import { clientKeys, type OpenSession, PASSKEY_BODY, WalletClient } from "./wallet-client.ts";

/** A wallet with a mailed and an OAUTH credential, a session of each, and a revoked session. */
export interface SignedWorld {
  wallet: WalletClient;
  emailCredential: string;
  oauthCredential: string;
  emailSession: OpenSession;
  oauthSession: OpenSession;
  revokedSession: OpenSession;
}

export const signedWorld = async (sim: TestSimulator, email: string): Promise<SignedWorld> => {
  const wallet = await WalletClient.create(sim, { email });
  const emailCredential = await wallet.addEmail(email);
  const oauthCredential = await wallet.addOauth();
  const revokedSession = await wallet.signIn(emailCredential);
  await wallet.retried("DELETE", `/auth/sessions/${revokedSession.id}`);
  return {
    wallet,
    emailCredential,
    oauthCredential,
    revokedSession,
    emailSession: await wallet.signIn(emailCredential),
    oauthSession: await wallet.signInByToken(oauthCredential),
  };
};

/** A call that needs a signature, and a similar one with another member. */
export interface SignedCall {
  method: string;
  path: string;
  body?: object;
  changed?: { body: object; member: string };
}

/** An operation that takes a signed retry (spec/signed-retry.md#signed-operations). */
export interface SignedOperationCase {
  operation: string;
  /** Status of the signed retry. */
  done: number;
  /** `type` of its challenge, if it has one. */
  type?: string;
  call(world: SignedWorld): Promise<SignedCall>;
  /** The session that may sign; the email session if left out. */
  signer?: "oauthSession";
  /** An active session of the wallet that may not sign, and the refusal's words. */
  barred?: { session: "emailSession" | "oauthSession"; check: RegExp };
  /** True where a signature without `Request-Id` is accepted too. */
  takesAlone?: true;
}

const USD_PAYEE = {
  currency: "USD",
  accountInfo: {
    accountType: "USD_ACCOUNT",
    accountNumber: "123456789",
    routingNumber: "021000021",
    beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ada Lovelace" },
  },
};

/** A quote of 50 USDB that a wallet pays, its wallet funded with 100. */
export const walletQuote = async ({ sim, accountId, customerId }: WalletClient) => {
  await sim.call("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 100_000_000 });
  const payee = await sim.call("POST", "/customers/external-accounts", {
    customerId,
    ...USD_PAYEE,
  });
  const { body } = await sim.call("POST", "/quotes", {
    source: { sourceType: "ACCOUNT", accountId },
    destination: { destinationType: "ACCOUNT", accountId: payee.body.id },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 50_000_000,
  });
  return body;
};

export const SIGNED_OPERATIONS: SignedOperationCase[] = [
  {
    operation: "createCredential",
    done: 201,
    type: "PASSKEY",
    call: async ({ wallet: { accountId } }) => {
      const body = { accountId, ...PASSKEY_BODY };
      const changed = { body: { ...body, nickname: "Other laptop" }, member: "nickname" };
      return { method: "POST", path: "/auth/credentials", body, changed };
    },
  },
  {
    operation: "deleteCredential",
    done: 204,
    type: "OAUTH",
    call: async ({ oauthCredential }) => ({
      method: "DELETE",
      path: `/auth/credentials/${oauthCredential}`,
    }),
    barred: { session: "oauthSession", check: /belongs to the credential to revoke/ },
  },
  {
    operation: "deleteSession",
    done: 204,
    type: "OAUTH",
    call: async ({ oauthSession }) => ({
      method: "DELETE",
      path: `/auth/sessions/${oauthSession.id}`,
    }),
  },
  {
    operation: "refreshSession",
    done: 201,
    call: async ({ oauthSession }) => ({
      method: "POST",
      path: `/auth/sessions/${oauthSession.id}/refresh`,
      body: { clientPublicKey: clientKeys().publicKey },
      changed: { body: { clientPublicKey: clientKeys().publicKey }, member: "clientPublicKey" },
    }),
    signer: "oauthSession",
    barred: { session: "emailSession", check: /signed by the session that it renews/ },
  },
  {
    operation: "exportWallet",
    done: 200,
    call: async ({ wallet: { accountId } }) => ({
      method: "POST",
      path: `/internal-accounts/${accountId}/export`,
      body: { clientPublicKey: clientKeys().publicKey },
      changed: { body: { clientPublicKey: clientKeys().publicKey }, member: "clientPublicKey" },
    }),
  },
  {
    operation: "updateInternalAccount",
    done: 200,
    call: async ({ wallet: { accountId } }) => ({
      method: "PATCH",
      path: `/internal-accounts/${accountId}`,
      body: { privateEnabled: true },
      changed: { body: { privateEnabled: false }, member: "privateEnabled" },
    }),
  },
  {
    operation: "patchCustomer",
    done: 200,
    call: async ({ wallet: { customerId } }) => {
      const email = `${customerId.slice(-6)}@new.example`;
      const body = { customerType: "INDIVIDUAL", email };
      const changed = { body: { ...body, fullName: "Ada" }, member: "fullName" };
      return { method: "PATCH", path: `/customers/${customerId}`, body, changed };
    },
  },
  {
    operation: "patchCard",
    done: 200,
    call: async ({ wallet: { sim, accountId, customerId } }) => {
      const { body: card } = await sim.call("POST", "/cards", {
        cardholderId: customerId,
        form: "VIRTUAL",
        fundingSources: [accountId],
      });
      const changed = { body: { state: "CLOSED" }, member: "state" };
      return { method: "PATCH", path: `/cards/${card.id}`, body: { state: "FROZEN" }, changed };
    },
  },
  {
    operation: "executeQuote",
    done: 200,
    call: async ({ wallet }) => {
      const { id } = await walletQuote(wallet);
      return { method: "POST", path: `/quotes/${id}/execute` };
    },
    takesAlone: true,
  },
];

import { decryptCredentialBundle } from "@turnkey/crypto";
import type { Assertion, Attestation } from "../../../src/crypto/webauthn.ts";
import { clientKeys, WalletClient } from "../../api/wallets/setup/wallet-client.ts";
import { startTestSimulator } from "../../setup/test-simulator.ts";

/** Verifier behind a page: returns `accepted`, or the check that failed. */
export interface RelyingParty {
  register(sent: { challenge: string; attestation: Attestation }): Promise<string>;
  /** The challenge of the next sign-in. */
  challenge(): Promise<string>;
  signIn(assertion: Assertion): Promise<string>;
  close?(): Promise<void>;
}

const SESSION_KEY = /^[0-9a-f]{64}$/;

/** A running simulator as an integrator's backend uses it, called on a real port. */
export const overHttp = async (): Promise<RelyingParty> => {
  const simulator = await startTestSimulator();
  const wallet = await WalletClient.create(simulator);
  const { url } = await simulator.sim.listen();
  const credentials = `${simulator.sim.clientId}:${simulator.sim.clientSecret}`;
  const keys = clientKeys();
  let id = "";
  let requestId = "";
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const base = new URL(simulator.sim.apiUrl).pathname;
    const response = await fetch(`${url}${base}/auth/credentials${path}`, {
      method: "POST",
      headers: {
        authorization: `Basic ${btoa(credentials)}`,
        "content-type": "application/json",
        ...headers,
      },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  };
  return {
    register: async ({ challenge, attestation }) => {
      const { accountId } = wallet;
      const sent = { type: "PASSKEY", accountId, nickname: "A page", challenge, attestation };
      const { status, body } = await post("", sent);
      id = body.id;
      return status === 201 ? "accepted" : body.details.check;
    },
    challenge: async () => {
      const { body } = await post(`/${id}/challenge`, { clientPublicKey: keys.publicKey });
      requestId = body.requestId;
      return body.challenge;
    },
    signIn: async (assertion) => {
      const sent = { type: "PASSKEY", assertion };
      const { status, body } = await post(`/${id}/verify`, sent, { "request-id": requestId });
      if (status !== 200) return body.details.check;
      const opened = decryptCredentialBundle(body.encryptedSessionSigningKey, keys.privateKeyHex);
      return SESSION_KEY.test(opened) ? "accepted" : "the session's key does not open";
    },
    close: () => simulator.sim.close(),
  };
};

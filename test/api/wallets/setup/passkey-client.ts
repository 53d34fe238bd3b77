import {
  createPasskey,
  type SoftwarePasskey,
  signWithPasskey,
} from "../../../../src/crypto/software-authenticator.ts";
import type { Answer } from "../../../setup/test-simulator.ts";
import {
  type ClientKeys,
  clientKeys,
  MAGIC_SIGNATURE,
  randomText,
  type WalletClient,
} from "./wallet-client.ts";

/** A passkey registered at a wallet, as its owner's browser holds it. */
export class PasskeyClient {
  readonly wallet: WalletClient;
  readonly id: string;
  passkey: SoftwarePasskey;

  private constructor(wallet: WalletClient, id: string, passkey: SoftwarePasskey) {
    this.wallet = wallet;
    this.id = id;
    this.passkey = passkey;
  }

  static async register(
    wallet: WalletClient,
    { origin = "https://wallet.example", padded = false } = {},
  ): Promise<PasskeyClient> {
    const challenge = randomText();
    const { passkey, attestation } = await createPasskey({
      challenge,
      rpId: "wallet.example",
      origin,
      algorithm: "ES256",
    });
    const { accountId, sim } = wallet;
    const { credentialId } = attestation;
    const sent = { ...attestation, credentialId: padded ? `${credentialId}=` : credentialId };
    const body = {
      ...{ type: "PASSKEY", accountId, nickname: "Laptop" },
      challenge,
      attestation: sent,
    };
    const first = await sim.call("POST", "/auth/credentials", body);
    const made =
      first.status === 201
        ? first
        : await wallet.signed("POST", "/auth/credentials", {
            body,
            signature: MAGIC_SIGNATURE,
            requestId: first.body.requestId,
          });
    if (made.status !== 201) throw new Error(`Expected 201 but found ${made.status}`);
    return new PasskeyClient(wallet, made.body.id, passkey);
  }

  /** Asks for a challenge that is bound to a client key. */
  async challenge(keys: ClientKeys = clientKeys()): Promise<Answer["body"]> {
    const path = `/auth/credentials/${this.id}/challenge`;
    const body = { clientPublicKey: keys.publicKey };
    return (await this.wallet.sim.call("POST", path, body)).body;
  }

  /** Signs a challenge as the browser does, and raises the counter. */
  assertion(challenge: string) {
    const { passkey, assertion } = signWithPasskey(this.passkey, { challenge });
    this.passkey = passkey;
    return assertion;
  }

  /** The same passkey, in a simulator that was opened again. */
  on(wallet: WalletClient): PasskeyClient {
    return new PasskeyClient(wallet, this.id, this.passkey);
  }

  /** Signs in with a fresh challenge, from another browser or app if given. */
  async signIn(place: Partial<SoftwarePasskey> = {}): Promise<Answer> {
    const asked = await this.challenge();
    const used = { ...this.passkey, ...place };
    const { passkey, assertion } = signWithPasskey(used, { challenge: asked.challenge });
    this.passkey = { ...this.passkey, counter: passkey.counter };
    return this.verify(assertion, asked.requestId);
  }

  verify(assertion: object, requestId?: string): Promise<Answer> {
    return this.wallet.signed("POST", `/auth/credentials/${this.id}/verify`, {
      body: { type: "PASSKEY", assertion },
      ...(requestId !== undefined && { requestId }),
    });
  }
}

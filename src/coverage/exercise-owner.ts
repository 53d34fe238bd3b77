import { MAGIC_VALUES } from "../contract/core/magic-values.ts";
import { digestHex } from "../crypto/digest.ts";
import { stampOver } from "../crypto/wallet-signatures.ts";
import { ClientProofs } from "../scripts/client-proofs.ts";

interface Keys {
  publicKey: string;
  privateKey: string;
}

/** Answers that a wallet's owner works with, by their names in the steps. */
interface OwnersAnswers {
  get(name: "mailed" | "asked"): unknown;
}

/**
 * The owner of an exercise's wallet. Codes and signatures are those that the world's `--crypto`
 * accepts: magic ones where it takes them, otherwise real ones (spec/coverage.md#settings).
 */
export class ExerciseOwner {
  private readonly clientProofs = new ClientProofs();
  private readonly crypto: string;
  private readonly answers: OwnersAnswers;
  private client: Keys | undefined;
  private session: Keys | undefined;

  constructor(crypto: string, answers: OwnersAnswers) {
    this.crypto = crypto;
    this.answers = answers;
  }

  /** Makes the client's keys. */
  async begin() {
    this.client = (await this.clientProofs.make({ keyPair: {} })) as Keys;
  }

  /** Opens the session key of an answer that has one. */
  async answered(body: unknown) {
    const { encryptedSessionSigningKey: bundle } = (body ?? {}) as Record<string, string>;
    if (bundle === undefined || this.crypto !== "strict" || !this.client) return;
    const step = { openSession: { bundle, key: this.client.privateKey } };
    this.session = (await this.clientProofs.make(step)) as Keys;
  }

  /** Values for references to the owner, each made when it is filled in. */
  proofs() {
    const publicKey = () => this.client?.publicKey ?? "";
    const code = () => this.code();
    const signature = () => this.signature();
    return {
      /** The client's key. */
      get publicKey() {
        return publicKey();
      },
      /** The nonce of an ID token that signs in with that key (spec/revisions.md#id-token-nonces). */
      get nonce() {
        return digestHex(publicKey());
      },
      /** The code that was mailed last. */
      get code() {
        return code();
      },
      /** The signature over the challenge that was given last. */
      get signature() {
        return signature();
      },
    };
  }

  private code(): string | undefined {
    if (this.crypto === "magic-only") return MAGIC_VALUES.otp;
    return (this.answers.get("mailed") as { data: { code: string }[] } | undefined)?.data[0]?.code;
  }

  private signature(): string | undefined {
    if (this.crypto !== "strict") return MAGIC_VALUES.walletSignature;
    const { payloadToSign } = (this.answers.get("asked") ?? {}) as { payloadToSign?: string };
    const { session } = this;
    return session && payloadToSign && stampOver(payloadToSign, session.privateKey);
  }
}

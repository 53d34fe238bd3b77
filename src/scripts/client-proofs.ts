import { randomBytes } from "node:crypto";
import type { ScenarioStepOf } from "../contract/control/scenarios.ts";
import { isLoopbackName } from "../contract/core/loopback.ts";
import { sealCode, targetKeyIn } from "../crypto/code-bundles.ts";
import { publicKeyOf } from "../crypto/p256.ts";
import { openSessionKey, openWalletExport } from "../crypto/sealing.ts";
import { sessionKeyFrom } from "../crypto/session-keys.ts";
import {
  createPasskey,
  type SoftwarePasskey,
  signWithPasskey,
} from "../crypto/software-authenticator.ts";
import { stampOver } from "../crypto/wallet-signatures.ts";

const ENTROPY_BYTES = 48;

/** A step that a client does by itself, references filled in. */
export type ProofStep =
  | ScenarioStepOf<"keyPair">
  | ScenarioStepOf<"openSession">
  | ScenarioStepOf<"sealCode">
  | ScenarioStepOf<"openExport">
  | ScenarioStepOf<"sign">
  | ScenarioStepOf<"createPasskey">
  | ScenarioStepOf<"usePasskey">;

const keyPair = () => {
  const { privateKeyHex } = sessionKeyFrom(randomBytes(ENTROPY_BYTES).toString("hex"));
  return { publicKey: publicKeyOf(privateKeyHex, "uncompressed"), privateKey: privateKeyHex };
};

const openSession = async ({ bundle, key }: { bundle: string; key: string }) => {
  const { publicKeyHex, privateKeyHex } = await openSessionKey(bundle, { privateKeyHex: key });
  return { publicKey: publicKeyHex, privateKey: privateKeyHex };
};

const sealedCode = async ({ bundle, ...sealed }: ScenarioStepOf<"sealCode">["sealCode"]) => {
  const targetPublic = targetKeyIn(bundle);
  const entropyHex = randomBytes(ENTROPY_BYTES).toString("hex");
  return { encryptedOtpBundle: await sealCode(sealed, { targetPublic, entropyHex }) };
};

const originOf = (rpId: string) => `${isLoopbackName(rpId) ? "http" : "https"}://${rpId}`;

/**
 * The client's side of a wallet: real keys, signatures and passkeys, made as an application would
 * make them. Passkeys keep their counters from step to step.
 */
export class ClientProofs {
  private readonly passkeys = new Map<string, SoftwarePasskey>();

  /**
   * Does a step and gives its answer, for references.
   * @throws SealingError, BundleError, Error when what it was given cannot be opened or signed
   */
  async make(step: ProofStep): Promise<unknown> {
    if ("keyPair" in step) return keyPair();
    if ("openSession" in step) return openSession(step.openSession);
    if ("sealCode" in step) return sealedCode(step.sealCode);
    if ("openExport" in step) {
      const { bundle, key } = step.openExport;
      return openWalletExport(bundle, { privateKeyHex: key });
    }
    if ("sign" in step) return { signature: stampOver(step.sign.payload, step.sign.key) };
    if ("createPasskey" in step) return this.create(step);
    return this.use(step);
  }

  private async create({ name, createPasskey: wish }: ScenarioStepOf<"createPasskey">) {
    const { challenge, rpId = "localhost", algorithm = "ES256" } = wish;
    const origin = originOf(rpId);
    const { passkey, attestation } = await createPasskey({ challenge, rpId, origin, algorithm });
    if (name !== undefined) this.passkeys.set(name, passkey);
    return { challenge, attestation };
  }

  private use({ usePasskey: { passkey: name, challenge } }: ScenarioStepOf<"usePasskey">) {
    const held = this.passkeys.get(name);
    if (!held) throw new Error(`Expected a passkey of the step ${name} but found none`);
    const { passkey, assertion } = signWithPasskey(held, { challenge });
    this.passkeys.set(name, passkey);
    return { assertion };
  }
}

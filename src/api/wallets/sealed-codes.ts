import { MAGIC_VALUES } from "../../contract/core/magic-values.ts";
import type { VerifyInput } from "../../contract/wallets/credentials.ts";
import { BundleError, openCode, type SealedCode, sealedIn } from "../../crypto/code-bundles.ts";
import { isSameSecret } from "../../crypto/digest.ts";
import { Refusal } from "../../domain/core/refusal.ts";
import * as codes from "../../domain/wallets/sealed-codes.ts";
import type { Call } from "../../http/door/call.ts";

type SealedInput = Extract<VerifyInput, { type: "EMAIL_OTP" | "SMS_OTP" }>;

/** Tells whether a proof is a code that travels sealed (spec/later-wallets.md#encrypted-codes). */
export const isSealed = (body: VerifyInput): body is SealedInput =>
  body.type === "SMS_OTP" || (body.type === "EMAIL_OTP" && body.encryptedOtpBundle !== undefined);

/** Reads a bundle and opens it; the code and the facts about it are apart, since a capsule keeps the facts. */
const openedBy = async (bundle: string, targetKeyHex: string | undefined) => {
  const opened = {
    code: undefined as SealedCode | undefined,
    problem: undefined as string | undefined,
  };
  try {
    const sealed = sealedIn(bundle);
    if (targetKeyHex !== undefined) opened.code = await openCode(sealed, targetKeyHex);
  } catch (error) {
    if (!(error instanceof BundleError)) throw error;
    opened.problem = `encryptedOtpBundle: ${error.message}`;
  }
  return opened;
};

const factsOf = async (bundle: string, targetKeyHex: string | undefined, call: Call) => {
  let code: SealedCode | undefined;
  const found = await call.find(
    "sealed code",
    async (): Promise<codes.SealedCodeFacts["found"]> => {
      const opened = await openedBy(bundle, targetKeyHex);
      code = opened.code;
      if (opened.problem !== undefined) return { kind: "no code", check: opened.problem };
      if (!code) return { kind: "sealed otherwise" };
      const isMagic = code.code === MAGIC_VALUES.otp;
      return { kind: "opened", publicKeyHex: code.publicKey, isMagic };
    },
  );
  const isCode = (pending: string) =>
    call.find("one-time code", () => isSameSecret(code?.code ?? "", pending));
  return { targetKeyHex, found, isCode };
};

/**
 * Answers the two calls of a sealed code: what to sign, then the session
 * (spec/later-wallets.md#encrypted-codes).
 */
export const verifySealed = async (input: codes.SealedProof, call: Call) => {
  const { encryptedOtpBundle = "" } = input.body;
  if (!codes.isFirstCall(input.call)) return call.commit(codes.startSealedSession, input);
  const { targetKeyHex } = call.read(codes.sealedSubject, input);
  const facts = await factsOf(encryptedOtpBundle, targetKeyHex, call);
  const outcome = call.commit(codes.proveCode, { ...input, facts });
  if (outcome instanceof Refusal) throw outcome;
  return outcome;
};

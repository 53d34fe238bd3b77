import type { ScriptStep } from "../../scripts/script-run.ts";
import { CLIENT_KEY } from "./parts.ts";
import type { CallStep } from "./steps.ts";

const isCall = (step: ScriptStep): step is CallStep => "request" in step;

/**
 * A step as revisions need it whose codes travel sealed: a sign-in by a code becomes a sealing and
 * two calls, or one call where it is to be refused (spec/later-wallets.md#encrypted-codes).
 */
export const sealedSteps = (step: ScriptStep): ScriptStep[] => {
  const { otp, type } = (isCall(step) && step.request.body ? step.request.body : {}) as {
    otp?: string;
    type?: string;
  };
  if (!isCall(step) || otp === undefined || type === undefined) return [step];
  const bundle = "${email.otpEncryptionTargetBundle}";
  const seal: ScriptStep = {
    name: "sealed",
    sealCode: { bundle, code: otp, publicKey: CLIENT_KEY },
  };
  const body = { type, encryptedOtpBundle: "${sealed.encryptedOtpBundle}" };
  const request = { ...step.request, body };
  if (step.expect) return [seal, { ...step, request }];
  const headers = {
    "service-wallet-signature": "${owner.signature}",
    "request-id": "${asked.requestId}",
  };
  return [
    seal,
    { name: "asked", request, expect: { status: 202 } },
    { ...step, request: { ...request, headers } },
  ];
};

import type { ScenarioStep } from "../contract/control/scenarios.ts";
import { MAGIC_VALUES } from "../contract/core/magic-values.ts";

/** A call with a sealed code, as a recording has it. */
export interface SealedCall {
  path: string;
  status: number;
  /** Answer of the call, as far as it was read. */
  answer: unknown;
}

/** Ways in which a sealing refers to other steps. */
interface CodeSteps {
  /** Puts a step with an answer in front of the call, and gives its name. */
  put(noun: string, made: ScenarioStep): string;
}

const WRONG_CODE = "999999";

/** Stands in for a text that is no bundle. */
const NO_BUNDLE = "none";

const VERIFY = /\/verify$/;

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null
    ? (value as Record<string, unknown>)[name]
    : undefined;

/** Tells whether a code was refused, rather than the signature of a second call. */
export const isRefusedCode = ({ status, answer }: Pick<SealedCall, "status" | "answer">) =>
  status === 401 && memberOf(answer, "reason") === "Invalid OTP code";

const isRefusedBundle = ({ answer }: Pick<SealedCall, "answer">) =>
  memberOf(memberOf(answer, "details"), "check") === "bundle";

/** The codes of one credential. */
interface Codes {
  /** Make references to the keys of its challenges, oldest first. */
  targets: readonly (() => string)[];
  /** The reference to the sealed code that was answered with a payload to sign. */
  proved?: string;
}

/**
 * Sealed codes of a recording. A bundle is sealed to a key that is another one in each run, and its
 * code is a secret. The scenario seals the magic code, to the key that its own challenge answers
 * (spec/scenarios.md#recording).
 */
export class RecordedCodes {
  private readonly byCredential = new Map<string, Codes>();
  private readonly steps: CodeSteps;
  private client: string | undefined;

  constructor(steps: CodeSteps) {
    this.steps = steps;
  }

  /**
   * Takes note of a challenge's key, by the path of its credential.
   * @param target makes the reference to the key
   */
  challenged(credentialPath: string, target: () => string) {
    const { targets = [] } = this.byCredential.get(credentialPath) ?? {};
    this.byCredential.set(credentialPath, { targets: [...targets, target] });
  }

  /** Tells whether a call is the second one of a code proved since the newest challenge. */
  isSecond(call: SealedCall): boolean {
    return call.status !== 202 && !isRefusedCode(call) && this.of(call)?.proved !== undefined;
  }

  /** The bundle of a call, as a reference; undefined when no recorded call answered its key. */
  bundleOf(call: SealedCall): string | undefined {
    const codes = this.of(call);
    if (codes?.proved !== undefined && this.isSecond(call)) return codes.proved;
    if (call.status === 400) return NO_BUNDLE;
    const [newest, older] = codes?.targets.toReversed() ?? [];
    const target = isRefusedBundle(call) ? (older ?? newest) : newest;
    if (codes === undefined || target === undefined) return undefined;
    const bundle = target();
    const isWrong = isRefusedCode(call) && !isRefusedBundle(call);
    const code = isWrong ? WRONG_CODE : MAGIC_VALUES.otp;
    const name = this.steps.put("sealed", {
      sealCode: { bundle, code, publicKey: this.clientKey() },
    });
    const reference = `\${${name}.encryptedOtpBundle}`;
    if (call.status === 202) codes.proved = reference;
    return reference;
  }

  private of({ path }: Pick<SealedCall, "path">) {
    return this.byCredential.get(path.replace(VERIFY, ""));
  }

  /** One client signs in everywhere: what counts is that it keeps its key between the two calls. */
  private clientKey(): string {
    this.client ??= this.steps.put("client", { keyPair: {} });
    return `\${${this.client}.publicKey}`;
  }
}

import { randomBytes } from "node:crypto";
import type { SimulatorStatus } from "../contract/control/status.ts";
import { MAGIC_VALUES } from "../contract/core/magic-values.ts";
import type { Revision } from "../contract/core/revision-names.ts";
import { hasChange } from "../contract/core/revisions.ts";
import { digestHex } from "../crypto/digest.ts";
import { stampOver } from "../crypto/wallet-signatures.ts";
import { ClientProofs } from "../scripts/client-proofs.ts";
import { errorText, jsonCall, type Send } from "../scripts/script-call.ts";
import { type Outcome, ScriptRun, type ScriptStep } from "../scripts/script-run.ts";
import { sealedSteps } from "./exercises/sealed-steps.ts";
import { asksProvider, changesToUsual, type ExercisedConfig } from "./exercises/usual-platform.ts";

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
class ExerciseOwner {
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
    const requestId = () => this.requestId();
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
      /** The id of that challenge. */
      get requestId() {
        return requestId();
      },
    };
  }

  private code(): string | undefined {
    if (this.crypto === "magic-only") return MAGIC_VALUES.otp;
    return (this.answers.get("mailed") as { data: { code: string }[] } | undefined)?.data[0]?.code;
  }

  private signature(): string | undefined {
    if (this.crypto !== "strict") return MAGIC_VALUES.walletSignature;
    const { payloadToSign } = this.asked();
    // A client that sealed its code holds the key of its session itself.
    const session = this.session ?? this.client;
    // A call that was done at once has no challenge: nothing looks at its signature.
    if (payloadToSign === undefined) return MAGIC_VALUES.walletSignature;
    return session && stampOver(payloadToSign, session.privateKey);
  }

  private requestId(): string {
    return this.asked().requestId ?? "none";
  }

  private asked() {
    return (this.answers.get("asked") ?? {}) as { payloadToSign?: string; requestId?: string };
  }
}

/** One finished step, as a line shows it. */
export interface DoneStep {
  /** `POST /quotes`, `advance 6m` or `receiver`. */
  did: string;
  status?: number;
}

/** A step of an exercise was answered otherwise than expected. */
export class ExerciseFailure extends Error {
  override readonly name = "ExerciseFailure";
}

type Config = ExercisedConfig & Record<string, unknown>;

/** The world that an exercise runs in: what it needs there, and what it gives back in the end. */
class ExerciseWorld {
  private readonly send: Send;
  private readonly onStep: (step: DoneStep) => void;
  /** The world's configuration before the first change. */
  private before: Config | undefined;
  private readonly changed = new Set<string>();
  private isOperatorsChanged = false;
  private rateLimit: string | undefined;

  /** @param onStep told of each change */
  constructor(send: Send, onStep: (step: DoneStep) => void) {
    this.send = send;
    this.onStep = onStep;
  }

  /**
   * Changes what exercises cannot work with (spec/coverage.md#settings).
   * @returns the settings of the world
   */
  async prepare(): Promise<SimulatorStatus["settings"]> {
    const { settings } = (await this.ask("GET", "/_sim/status")) as SimulatorStatus;
    if (settings.rateLimit !== "none") {
      await this.change("PUT", "/_sim/rate-limit", { limit: "none" });
      this.rateLimit = settings.rateLimit;
    }
    const { platform, operator } = changesToUsual(await this.config());
    if (operator) {
      await this.change("PATCH", "/_sim/config", operator);
      this.isOperatorsChanged = true;
    }
    if (platform) {
      this.notePatch(platform);
      await this.change("PATCH", "/config", platform);
    }
    return settings;
  }

  /** Takes note of members of the configuration that a step changes. */
  note(step: ScriptStep) {
    if (!("request" in step)) return;
    const { method, path, body = {} } = step.request;
    if (method === "PATCH" && path === "/config") this.notePatch(body);
  }

  private notePatch(changes: object) {
    for (const name of Object.keys(changes)) this.changed.add(name);
  }

  /** Gives the world back what was changed. */
  async giveBack() {
    const { before, changed } = this;
    const body = Object.fromEntries([...changed].map((name) => [name, before?.[name] ?? null]));
    if (changed.size > 0) await this.change("PATCH", "/config", body);
    if (before && this.isOperatorsChanged) await this.giveBackOperators(before);
    const { rateLimit: limit } = this;
    if (limit !== undefined) await this.change("PUT", "/_sim/rate-limit", { limit });
  }

  private giveBackOperators({ supportedCurrencies, isRegulatedFinancialInstitution }: Config) {
    return this.change("PATCH", "/_sim/config", {
      supportedCurrencies: supportedCurrencies
        .filter(asksProvider)
        .map(({ currencyCode, providerRequiredCustomerFields }) => ({
          currencyCode,
          providerRequiredCustomerFields,
        })),
      isRegulatedFinancialInstitution,
    });
  }

  /** Makes a call that must go well. */
  private async ask(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await this.send(jsonCall(method, path, body));
    if (answer !== "lost" && answer.status < 300) return answer.body;
    const answerText = answer === "lost" ? "no answer" : errorText(answer);
    throw new ExerciseFailure(`Expected 2xx from ${method} ${path} but found ${answerText}`);
  }

  private async change(method: string, path: string, body: object) {
    await this.ask(method, path, body);
    this.onStep({ did: `${method} ${path}` });
  }

  private async config(): Promise<Config> {
    this.before ??= (await this.ask("GET", "/config")) as Config;
    return this.before;
  }
}

/** A step as it was done; throws when it was not as expected. */
const doneStep = (step: ScriptStep, { did, called, status, differences }: Outcome): DoneStep => {
  const says = "request" in step ? `${step.request.method} ${called ?? step.request.path}` : did;
  const [first] = differences;
  if (first)
    throw new ExerciseFailure(`Expected ${first.expected} from ${says} but found ${first.found}`);
  return { did: says, ...(status !== undefined && { status }) };
};

/**
 * Runs the script of an exercise in a world that it makes ready for it, whatever the settings are
 * (spec/coverage.md#settings). Beside earlier answers references may name `random`, a word that no
 * earlier exercise has used, `sandbox.umaDomain`, and the `owner` of a wallet.
 * @throws ExerciseFailure at the first answer that is not the expected one
 */
export const runExercise = async (
  steps: readonly ScriptStep[],
  send: Send,
  onStep: (step: DoneStep) => void = () => {},
): Promise<void> => {
  const run = new ScriptRun(send);
  const world = new ExerciseWorld(send, onStep);
  try {
    const { crypto, sandboxUmaDomains, revision } = await world.prepare();
    const owner = new ExerciseOwner(crypto, run.answers);
    await owner.begin();
    run.answers.set("random", randomBytes(6).toString("hex"));
    run.answers.set("sandbox", { umaDomain: sandboxUmaDomains[0] });
    run.answers.set("owner", owner.proofs());
    const isSealing = hasChange(revision as Revision, "encryptedCodes");
    const inRevision = isSealing ? steps.flatMap(sealedSteps) : steps;
    for (const [at, step] of inRevision.entries()) {
      world.note(step);
      const outcome = await run.outcomeOf(step, ["steps", at]);
      onStep(doneStep(step, outcome));
      await owner.answered(outcome.answer);
    }
  } finally {
    try {
      await world.giveBack();
    } finally {
      run.end();
    }
  }
};

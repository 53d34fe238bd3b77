/** One answer of an exercise's own receiver: a status, one with a body, no answer, or none in time. */
export type ReceiverAnswer = number | { status: number; body: unknown } | "drop" | "hang";

/** A file of a form. */
export interface FormFile {
  member: string;
  fileName: string;
  text: string;
}

/**
 * One call. `<customer.id>` stands for a member of an earlier answer. `<random>` is a word that no
 * earlier exercise has used, `<sandbox.umaDomain>` a domain of the sandbox. `<owner.code>` and
 * `<owner.signature>` are proofs that the world accepts, `<owner.publicKey>` is their key,
 * `<owner.nonce>` the nonce of its ID tokens.
 */
export interface CallStep {
  kind: "call";
  /** Name of the answer, for later steps. */
  as?: string;
  method: string;
  /** Below the platform's base; below `/_sim` for the control surface. */
  path: string;
  body?: object;
  headers?: Readonly<Record<string, string>>;
  file?: FormFile;
  /** Body that is sent as it stands, as JSON. */
  text?: string;
  /** Status that the answer must have; any below 400 when left out. */
  expect?: number;
}

/** Moves the clock by a span; everything due on the way happens. */
export interface AdvanceStep {
  kind: "advance";
  span: string;
}

/**
 * Starts a receiver and makes it the world's endpoint until the exercise ends. By type of event: its
 * first answers, then 200.
 */
export interface ReceiverStep {
  kind: "receiver";
  answers: Readonly<Record<string, readonly ReceiverAnswer[]>>;
}

/** Makes a passkey: `<passkey.challenge>` and `<passkey.attestation>` for later steps. */
export interface PasskeyStep {
  kind: "passkey";
}

export type ExerciseStep = CallStep | AdvanceStep | ReceiverStep | PasskeyStep;

const CALL_LINE = /^(?:(\w+) = )?([A-Z]+) (\/\S*)$/;

/** A call as `name = METHOD /path`. */
export const call = (
  line: string,
  body?: object,
  more: Pick<CallStep, "headers" | "file" | "text" | "expect"> = {},
): CallStep => {
  const [, as, method = "", path = ""] = CALL_LINE.exec(line) ?? [];
  return {
    kind: "call",
    ...(as !== undefined && { as }),
    method,
    path,
    ...(body && { body }),
    ...more,
  };
};

/** A call that must be refused with a status. */
export const refused = (expect: number, line: string, body?: object): CallStep =>
  call(line, body, { expect });

export const advance = (span: string): AdvanceStep => ({ kind: "advance", span });

export const receiver = (answers: ReceiverStep["answers"] = {}): ReceiverStep => ({
  kind: "receiver",
  answers,
});

/** A call of a wallet's owner: its challenge, then the same call signed. */
export const signed = (line: string, body?: object): CallStep[] => [
  call(`asked = ${line}`, body, { expect: 202 }),
  call(`added = ${line}`, body, {
    headers: { "service-wallet-signature": "<owner.signature>", "request-id": "<asked.requestId>" },
  }),
];

/** A call by the agent of an exercise. */
export const byAgent = (line: string, body?: object, expect?: number): CallStep =>
  call(line, body, {
    headers: { authorization: "Bearer <redeemed.accessToken>" },
    ...(expect !== undefined && { expect }),
  });

/** The same steps with the last call made twice under one idempotency key. */
export const repeated = (steps: readonly ExerciseStep[]): ExerciseStep[] => {
  const last = steps.at(-1) as CallStep;
  const keyed = { ...last, headers: { ...last.headers, "idempotency-key": "key-<random>" } };
  return [...steps.slice(0, -1), keyed, keyed];
};

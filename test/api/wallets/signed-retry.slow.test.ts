import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PLATFORM_ENDPOINTS } from "../../../src/api/endpoints.ts";
import { bareSignatureOver, stampOver } from "../../../src/crypto/wallet-signatures.ts";
import { everyRow } from "../../setup/every-row.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import {
  SIGNED_OPERATIONS,
  type SignedCall,
  type SignedOperationCase,
  type SignedWorld,
  signedWorld,
} from "./setup/signed-operations.ts";
import {
  CHANGED_BODY,
  expectUnauthorized,
  INVALID_SIGNATURE,
  UNKNOWN_REQUEST,
  type Unauthorized,
  USED_REQUEST,
} from "./setup/unauthorized.ts";
import {
  clientKeys,
  MAGIC_SIGNATURE,
  type OpenSession,
  type Signing,
} from "./setup/wallet-client.ts";

interface Challenge {
  payloadToSign: string;
  requestId: string;
  expiresAt: string;
}

/** One operation under test, with a challenge of its own. */
interface Trial {
  own: SignedWorld;
  foreign: SignedWorld;
  call: SignedCall;
  challenge: Challenge;
  signer: OpenSession;
  /** Challenges of another customer's call and of another operation. */
  foreignChallenge: Challenge;
  otherChallenge: Challenge;
  /** A second challenge of the same call, at the same instant. */
  secondChallenge: Challenge;
  operation: SignedOperationCase;
}

type Attempt = Signing & { body?: object };

/** One wrong retry with its expected refusal (spec/signed-retry.md#check-order). */
interface Failure {
  row: string;
  attempt(trial: Trial): Attempt | undefined;
  told: Unauthorized | ((trial: Trial) => Unauthorized);
}

const UNKNOWN_ID = "Request:00000000-0000-7000-8000-000000000000";

const signedBy = ({ challenge }: Trial, { privateKeyHex }: OpenSession) => ({
  requestId: challenge.requestId,
  signature: stampOver(challenge.payloadToSign, privateKeyHex),
});

const badSignature = (check: RegExp): Unauthorized => ({ reason: INVALID_SIGNATURE, check });

const stampWith = (trial: Trial, members: object) => {
  const { signature, requestId } = signedBy(trial, trial.signer);
  const stamp = JSON.parse(Buffer.from(signature, "base64url").toString());
  const text = JSON.stringify({ ...stamp, ...members });
  return { requestId, signature: Buffer.from(text).toString("base64url") };
};

const header = (row: string, signature: string, check: RegExp): Failure => ({
  row: `a signature that is ${row}`,
  attempt: ({ challenge: { requestId } }) => ({ requestId, signature }),
  told: badSignature(check),
});

const over = (row: string, text: (trial: Trial) => string): Failure[] => [
  {
    row: `a stamp over ${row}`,
    attempt: (trial) => ({
      requestId: trial.challenge.requestId,
      signature: stampOver(text(trial), trial.signer.privateKeyHex),
    }),
    told: badSignature(/^stamp.signature does not match payloadToSign$/),
  },
  {
    row: `a bare signature over ${row}`,
    attempt: (trial) => ({
      requestId: trial.challenge.requestId,
      signature: bareSignatureOver(text(trial), trial.signer.privateKeyHex),
    }),
    told: badSignature(/does not match payloadToSign for any active session's key/),
  },
];

const by = (row: string, session: (trial: Trial) => OpenSession): Failure[] => [
  {
    row: `a stamp of ${row}`,
    attempt: (trial) => signedBy(trial, session(trial)),
    told: badSignature(/^stamp.publicKey is not an active session of this account$/),
  },
  {
    row: `a bare signature of ${row}`,
    attempt: (trial) => ({
      requestId: trial.challenge.requestId,
      signature: bareSignatureOver(trial.challenge.payloadToSign, session(trial).privateKeyHex),
    }),
    told: badSignature(/does not match payloadToSign for any active session's key/),
  },
];

const FAILURES: Failure[] = [
  {
    row: "no signature",
    attempt: ({ challenge: { requestId } }) => ({ requestId }),
    told: { code: "WALLET_SIGNATURE_MISSING", check: /only Request-Id/ },
  },
  {
    row: "no Request-Id",
    attempt: (trial) =>
      trial.operation.takesAlone
        ? undefined
        : { signature: signedBy(trial, trial.signer).signature },
    told: { code: "REQUEST_ID_MISSING", check: /only Service-Wallet-Signature/ },
  },
  {
    row: "the magic signature without Request-Id",
    attempt: ({ operation }) => (operation.takesAlone ? undefined : { signature: MAGIC_SIGNATURE }),
    told: { code: "REQUEST_ID_MISSING", check: /only Service-Wallet-Signature/ },
  },
  {
    row: "an unknown Request-Id",
    attempt: (trial) => ({ ...signedBy(trial, trial.signer), requestId: UNKNOWN_ID }),
    told: { reason: UNKNOWN_REQUEST, check: /no challenge has this requestId/ },
  },
  {
    row: "a Request-Id without its prefix",
    attempt: (trial) => ({
      ...signedBy(trial, trial.signer),
      requestId: trial.challenge.requestId.replace("Request:", ""),
    }),
    told: { reason: UNKNOWN_REQUEST, check: /no challenge has this requestId/ },
  },
  {
    row: "an unknown Request-Id and the magic signature",
    attempt: () => ({ signature: MAGIC_SIGNATURE, requestId: UNKNOWN_ID }),
    told: { reason: UNKNOWN_REQUEST, check: /no challenge has this requestId/ },
  },
  {
    row: "the Request-Id of another operation",
    attempt: ({ otherChallenge: { requestId } }) => ({ signature: MAGIC_SIGNATURE, requestId }),
    told: { reason: UNKNOWN_REQUEST, check: /^it belongs to DELETE \/auth\/sessions\/Session:/ },
  },
  {
    row: "the Request-Id of the same operation on another wallet",
    attempt: ({ foreignChallenge: { requestId } }) => ({ signature: MAGIC_SIGNATURE, requestId }),
    // The body names the wallet where the path does not.
    told: ({ call }) =>
      call.path === "/auth/credentials"
        ? { reason: CHANGED_BODY, check: /^accountId differs$/ }
        : { reason: UNKNOWN_REQUEST, check: /^it belongs to/ },
  },
  {
    row: "a changed body",
    attempt: (trial) =>
      trial.call.changed && { ...signedBy(trial, trial.signer), body: trial.call.changed.body },
    told: ({ call }) => ({
      reason: CHANGED_BODY,
      check: new RegExp(`^${call.changed?.member} differs$`),
    }),
  },
  {
    row: "a changed body and a signature over nothing",
    attempt: ({ call, challenge: { requestId } }) =>
      call.changed && { signature: "x", requestId, body: call.changed.body },
    told: { reason: CHANGED_BODY, check: / differs$/ },
  },
  header("empty", "", /empty/),
  header("no base64", "sandbox-invalid-signature", /neither a base64url stamp nor/),
  header("nearly magic", "Sandbox-Valid-Signature", /neither a base64url stamp nor/),
  header("cut short", "MEUCIQ==", /DER/),
  header("raw r and s", Buffer.alloc(64, 7).toString("base64"), /64 bytes, r and s/),
  header("JSON without its members", Buffer.from("{}").toString("base64url"), /exactly publicKey/),
  {
    row: "a stamp of another scheme",
    attempt: (trial) => stampWith(trial, { scheme: "ED25519" }),
    told: badSignature(/stamp.scheme/),
  },
  {
    row: "a stamp with a member too many",
    attempt: (trial) => stampWith(trial, { extra: "x" }),
    told: badSignature(/exactly publicKey, scheme and signature/),
  },
  {
    row: "a stamp whose key is no point",
    attempt: (trial) => stampWith(trial, { publicKey: `02${"f".repeat(64)}` }),
    told: badSignature(/not a point/),
  },
  {
    row: "a stamp that names another session of the wallet",
    attempt: (trial) => {
      const { emailSession, oauthSession } = trial.own;
      const publicKey = (trial.signer === emailSession ? oauthSession : emailSession).publicKeyHex;
      return stampWith(trial, { publicKey });
    },
    told: ({ operation }) =>
      badSignature(operation.barred?.check ?? /^stamp.signature does not match payloadToSign$/),
  },
  ...over("the payload and a blank", ({ challenge }) => `${challenge.payloadToSign} `),
  ...over("nothing", () => ""),
  ...over(
    "a second challenge for the same",
    ({ secondChallenge }) => secondChallenge.payloadToSign,
  ),
  ...over("another challenge", ({ otherChallenge }) => otherChallenge.payloadToSign),
  ...over("the body", ({ call }) => JSON.stringify(call.body ?? {})),
  ...over("the payload written again", ({ challenge }) =>
    JSON.stringify(JSON.parse(challenge.payloadToSign), undefined, 1),
  ),
  ...by("a session of another wallet", ({ foreign }) => foreign.emailSession),
  ...by("a session that was revoked", ({ own }) => own.revokedSession),
  ...by("an unknown key", () => {
    const keys = clientKeys();
    return { id: "", privateKeyHex: keys.privateKeyHex, publicKeyHex: "" };
  }),
  {
    row: "a stamp of a session that may not sign this",
    attempt: (trial) =>
      trial.operation.barred && signedBy(trial, trial.own[trial.operation.barred.session]),
    told: ({ operation }) => badSignature(operation.barred?.check ?? /never/),
  },
  {
    row: "a bare signature of a session that may not sign this",
    attempt: ({ operation, own, challenge: { requestId, payloadToSign } }) =>
      operation.barred && {
        requestId,
        signature: bareSignatureOver(payloadToSign, own[operation.barred.session].privateKeyHex),
      },
    told: ({ operation }) => badSignature(operation.barred?.check ?? /never/),
  },
];

/**
 * The wrong retries that an operation is tried with: the first one with all, since all check them
 * in one place; each other one with every third, and with those that depend on the operation.
 */
const failuresOf = (operation: SignedOperationCase) => {
  const turn = SIGNED_OPERATIONS.indexOf(operation);
  return FAILURES.filter(
    ({ attempt, told }, at) =>
      turn === 0 ||
      at % 3 === turn % 3 ||
      typeof told === "function" ||
      /operation|call/.test(attempt.toString()),
  );
};

// spec/wallets.md#owner-consent
test("every operation that takes a signed retry is tested here", () => {
  const declared = PLATFORM_ENDPOINTS.filter(({ signing }) => signing === "retry");
  expect(SIGNED_OPERATIONS.map(({ operation }) => operation).sort()).toEqual(
    declared.map(({ operationId }) => operationId).sort(),
  );
});

describe.each(SIGNED_OPERATIONS)("$operation", (operation) => {
  let sim: TestSimulator;
  let trial: Trial;

  const send = ({ method, path, body: own }: SignedCall, { body, ...signing }: Attempt) => {
    const sent = body ?? own;
    return trial.own.wallet.signed(method, path, { ...signing, ...(sent && { body: sent }) });
  };

  const challengeFor = async ({ wallet }: SignedWorld, { method, path, body }: SignedCall) => {
    const answer = await wallet.signed(method, path, body ? { body } : {});
    expect(answer.status).toBe(202);
    return answer.body as Challenge;
  };

  /** Everything that a signed operation could have changed. */
  const seen = async () => {
    const { accountId, customerId } = trial.own.wallet;
    const paths = [
      `/auth/credentials?accountId=${accountId}`,
      `/auth/sessions?accountId=${accountId}`,
      `/customers/${customerId}`,
      `/customers/internal-accounts?customerId=${customerId}`,
      `/transactions?customerId=${customerId}`,
      `/cards?cardholderId=${customerId}`,
    ];
    const answers = await Promise.all(paths.map((path) => sim.call("GET", path)));
    return answers.map(({ body }) => body);
  };

  beforeAll(async () => {
    sim = await startTestSimulator();
    const own = await signedWorld(sim, "ada@example.com");
    const foreign = await signedWorld(sim, "grace@example.com");
    const call = await operation.call(own);
    const other = { method: "DELETE", path: `/auth/sessions/${own.emailSession.id}` };
    trial = {
      own,
      foreign,
      call,
      operation,
      challenge: await challengeFor(own, call),
      secondChallenge: await challengeFor(own, call),
      signer: own[operation.signer ?? "emailSession"],
      foreignChallenge: await challengeFor(foreign, await operation.call(foreign)),
      otherChallenge: await challengeFor(own, other),
    };
  });

  afterAll(async () => {
    await sim.sim.close();
    expect(sim.alarms).toEqual([]);
  });

  test("its challenge has the four published members and no others", () => {
    expect(trial.challenge).toEqual({
      payloadToSign: expect.stringMatching(/^\{.*"type":"ACTIVITY_TYPE_[A-Z_0-9]+"\}$/),
      requestId: expect.stringMatching(/^Request:[0-9a-f-]{36}$/),
      expiresAt: "2026-01-05T09:05:00.000Z",
      ...(operation.type && { type: operation.type }),
    });
    const { organizationId, timestampMs } = JSON.parse(trial.challenge.payloadToSign);
    expect(`InternalAccount:${organizationId}`).toBe(trial.own.wallet.accountId);
    expect(timestampMs).toBe("1767603600000");
  });

  test("a second challenge for the same call, at the same instant, has another text", () => {
    const { challenge, secondChallenge } = trial;
    expect(secondChallenge.payloadToSign).not.toBe(challenge.payloadToSign);
    for (const { payloadToSign, requestId } of [challenge, secondChallenge])
      expect(JSON.parse(payloadToSign).requestId).toBe(requestId);
  });

  // spec/signed-retry.md#missing-header
  test("is refused with a wrong retry, and changes nothing", async () => {
    const before = await seen();
    await everyRow(
      failuresOf(operation),
      async ({ attempt, told }) => {
        const wrong = attempt(trial);
        if (!wrong) return;
        const answer = await send(trial.call, wrong);
        expectUnauthorized(answer, typeof told === "function" ? told(trial) : told);
      },
      ({ row }) => row,
    );
    expect(await seen()).toEqual(before);
  });

  test("then its challenge still works, once", async () => {
    const { call, challenge, signer } = trial;
    const second = await challengeFor(trial.own, call);
    expect(second.requestId).not.toBe(challenge.requestId);
    const before = await seen();
    const retry = signedBy(trial, signer);
    const done = await send(call, retry);
    expect(done.status).toBe(operation.done);
    if (operation.operation !== "exportWallet") expect(await seen()).not.toEqual(before);

    const used = { reason: USED_REQUEST, check: /^it was used at 2026-01-05T09:00:00.000Z$/ };
    expectUnauthorized(await send(call, retry), used);
    expectUnauthorized(await send(call, { ...retry, signature: "x" }), used);
    expectUnauthorized(await send(call, { requestId: challenge.requestId }), used);
    // Refused before the path, the body or the wallet is checked.
    const { wallet } = trial.own;
    const elsewhere = await wallet.signed("DELETE", "/auth/sessions/Session:none", retry);
    expectUnauthorized(elsewhere, used);
    const empty = await wallet.signed(call.method, call.path, { ...retry, body: {} });
    expectUnauthorized(empty, used);
  });
});

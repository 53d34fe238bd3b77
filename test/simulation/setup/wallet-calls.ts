import { MAGIC_VALUES } from "../../../src/contract/core/magic-values.ts";
import type { Call, Found, Parsed } from "./call.ts";
import { type Client, FOLLOWING, type MakeCall, platform, present } from "./platform-calls.ts";
import { type ChallengeModel, oneOf, oneThat, type WorldModel } from "./world-model.ts";

/** The base point of P-256, whose private key is 1. */
const CLIENT_KEY =
  "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296" +
  "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5";

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** An ID token of the right form and issuer, without a valid signature. */
const ID_TOKEN = [
  part({ alg: "RS256", typ: "JWT" }),
  part({ iss: "https://accounts.google.com", sub: "1042", email: "ada@idp.example" }),
  "c2lnbmF0dXJl",
].join(".");

/** The same token as the issuer signs it, by the name of its key. */
const signedNow = (nowMs: number) =>
  [
    part({ alg: "RS256", typ: "JWT" }),
    part({
      iss: "https://accounts.google.com",
      sub: "1042",
      email: "ada@idp.example",
      iat: Math.floor(nowMs / 1_000),
    }),
    Buffer.from("key-a").toString("base64url"),
  ].join(".");

const TYPES = ["EMAIL_OTP", "OAUTH", "PASSKEY"] as const;

/** Credentials of a wallet that are there. */
const credentialsOf = ({ credentials }: WorldModel, walletId: string) =>
  Object.entries(credentials).filter(([, one]) => one.walletId === walletId && !one.isDeleted);

const isOwned = ({ customers, wallets }: WorldModel, walletId: string) =>
  customers[wallets[walletId]?.customerId ?? ""]?.isDeleted === false;

/** A wallet whose customer is there. */
const ownedWallet = ({ model, chance }: Client) => {
  const ids = Object.keys(model.wallets).filter((id) => isOwned(model, id));
  return ids.length === 0 ? undefined : chance.pick(ids);
};

/** True for a session that signs: it was not ended, and its last instant has not come. */
const isActive = (
  { isEnded, expiresAtMs }: { isEnded: boolean; expiresAtMs: number },
  nowMs: number,
) => !isEnded && nowMs < expiresAtMs;

/** Takes over credentials and sessions that a call has made, whether its answer came or not. */
const takeNew = (model: WorldModel, found: Found) => {
  for (const id of found.ids("AuthMethod")) {
    const { accountId, type } = found.get("AuthMethod", id);
    if (accountId in model.wallets)
      model.credentials[id] ??= { walletId: accountId, type, isDeleted: false };
  }
  for (const id of found.ids("Session")) {
    const { accountId, authMethodId, expiresAtMs } = found.get("Session", id);
    if (accountId in model.wallets)
      model.sessions[id] ??= {
        walletId: accountId,
        credentialId: authMethodId,
        expiresAtMs,
        isEnded: false,
      };
  }
};

const findWallet: MakeCall = ({ world, model, chance }) => {
  const customerId = oneThat(model.customers, chance, present);
  if (customerId === undefined) return undefined;
  return platform(world, {
    operation: "listCustomerInternalAccounts",
    method: "GET",
    path: `/customers/internal-accounts?customerId=${customerId}&type=EMBEDDED_WALLET`,
    expects: [200],
    done: (known, { data }) => {
      for (const { id } of data) known.wallets[id] ??= { customerId };
    },
  });
};

/** A first call, and the challenge that answers it. */
const firstCall = (
  { world, model }: Client,
  walletId: string,
  call: Pick<Call, "operation" | "method" | "path" | "body" | "expects"> & { target?: string },
): Call => {
  const { target, ...rest } = call;
  return platform(world, {
    ...rest,
    isAlone: true,
    done: (known, { requestId, expiresAt }: Parsed) => {
      if (requestId === undefined) return;
      const { operation, method, path, body } = rest;
      known.challenges[requestId] = {
        operation,
        method,
        path,
        ...(body !== undefined && { body }),
        walletId,
        ...(target !== undefined && { target }),
        expiresAtMs: Date.parse(expiresAt),
        isUsed: false,
      };
    },
    look: takeNew,
    learn: takeNew,
    ...(!isOwned(model, walletId) && { expects: [201, 202, 400, 401, 404] }),
  });
};

const addCredential: MakeCall = (client) => {
  const { model, chance } = client;
  const accountId = ownedWallet(client);
  if (accountId === undefined) return undefined;
  const there = credentialsOf(model, accountId);
  const type = chance.pick(TYPES);
  const noise = Buffer.from(Array.from({ length: 18 }, () => chance.below(256)));
  const members = {
    EMAIL_OTP: { email: "ada@pay.example" },
    OAUTH: { oidcToken: ID_TOKEN },
    PASSKEY: {
      nickname: "Work laptop",
      challenge: noise.toString("base64url"),
      attestation: {
        credentialId: "q1ZrT0hWm9xUe2pLd7sYcA",
        clientDataJson: "eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiYzBGdC4uLiJ9",
        attestationObject: "o2NmbXRkbm9uZQ",
        transports: ["internal"],
      },
    },
  }[type];
  const isTaken = there.some(([, one]) => one.type === type);
  return firstCall(client, accountId, {
    operation: "createCredential",
    method: "POST",
    path: "/auth/credentials",
    body: { type, accountId, ...members },
    expects: isTaken ? [400] : [there.length === 0 ? 201 : 202],
  });
};

const challenge: MakeCall = ({ world, model, chance }) => {
  const id = oneThat(model.credentials, chance, () => true);
  const one = id === undefined ? undefined : model.credentials[id];
  if (id === undefined || !one) return undefined;
  const good = { EMAIL_OTP: [200, 429], OAUTH: [400], PASSKEY: [200] }[one.type];
  const isOpen = isOwned(model, one.walletId);
  return platform(world, {
    operation: "challengeCredential",
    method: "POST",
    path: `/auth/credentials/${id}/challenge`,
    body: { clientPublicKey: CLIENT_KEY },
    isAlone: true,
    expects: one.isDeleted ? [404] : isOpen ? good : [401],
    done: (known, { requestId, expiresAt }) => {
      if (requestId === undefined) return;
      const { walletId } = one;
      known.proofs[requestId] = {
        credentialId: id,
        walletId,
        expiresAtMs: Date.parse(expiresAt),
        isUsed: false,
      };
    },
  });
};

const WRONG_OTP = "918273";

/** Proves a mailed code or a token, at times a wrong one. */
const verify: MakeCall = ({ world, model, chance, nowMs, keySet }) => {
  const id = oneThat(model.credentials, chance, ({ type }) => type !== "PASSKEY");
  const one = id === undefined ? undefined : model.credentials[id];
  if (id === undefined || !one) return undefined;
  const { type } = one;
  const isSigned = type === "OAUTH" && chance.oneIn(2);
  const isWrong = isSigned ? keySet()?.includes("key-a") !== true : chance.oneIn(5);
  const proof =
    type === "EMAIL_OTP"
      ? { otp: isWrong ? WRONG_OTP : MAGIC_VALUES.otp }
      : { oidcToken: isSigned ? signedNow(nowMs()) : isWrong ? ID_TOKEN : MAGIC_VALUES.oidcToken };
  const wrong = type === "EMAIL_OTP" ? [401, 429] : [401];
  const good = isWrong ? wrong : type === "EMAIL_OTP" ? [200, 429] : [200];
  return platform(world, {
    operation: "verifyCredential",
    method: "POST",
    path: `/auth/credentials/${id}/verify`,
    body: { type, ...proof, clientPublicKey: CLIENT_KEY },
    isAlone: true,
    expects: one.isDeleted ? [404] : isOwned(model, one.walletId) ? good : [401],
    look: takeNew,
    learn: takeNew,
  });
};

/** Answers the challenge of a passkey, at times a second time. */
const verifyPasskey: MakeCall = ({ world, model, chance, nowMs }) => {
  const requestId = oneThat(model.proofs, chance, ({ isUsed }) => !isUsed || chance.oneIn(3));
  const proof = requestId === undefined ? undefined : model.proofs[requestId];
  if (requestId === undefined || !proof) return undefined;
  const { credentialId, walletId, expiresAtMs, isUsed } = proof;
  const isGone = model.credentials[credentialId]?.isDeleted !== false;
  const isOpen = isOwned(model, walletId) && nowMs() < expiresAtMs;
  const use = (known: WorldModel) => {
    const used = known.proofs[requestId];
    if (used) used.isUsed = true;
  };
  return platform(world, {
    operation: "verifyCredential",
    method: "POST",
    path: `/auth/credentials/${credentialId}/verify`,
    body: {
      type: "PASSKEY",
      assertion: {
        credentialId: "q1ZrT0hWm9xUe2pLd7sYcA",
        clientDataJson: "e30",
        authenticatorData: "eA",
        signature: MAGIC_VALUES.passkeySignature,
      },
    },
    headers: { "request-id": requestId },
    isAlone: true,
    expects: isUsed ? [401] : isGone ? [404] : isOpen ? [200] : [401],
    done: use,
    look: takeNew,
    learn: (known, found) => {
      if (found.get("Request", requestId)?.usedAtMs !== undefined) use(known);
      takeNew(known, found);
    },
  });
};

const sameIds = (found: readonly { id: string }[], wanted: readonly string[]) => {
  const ids = found.map(({ id }) => id).sort();
  return JSON.stringify(ids) === JSON.stringify([...wanted].sort());
};

/** Lists sessions or credentials of a wallet; exactly those must be there that are known. */
const list: MakeCall = ({ world, model, chance, nowMs }) => {
  const accountId = oneThat(model.wallets, chance, () => true);
  if (accountId === undefined) return undefined;
  const isOfSessions = chance.oneIn(2);
  const active = Object.entries(model.sessions)
    .filter(([, one]) => one.walletId === accountId && isActive(one, nowMs()))
    .map(([id]) => id);
  const wanted = isOfSessions ? active : credentialsOf(model, accountId).map(([id]) => id);
  const operation = isOfSessions ? "listSessions" : "listCredentials";
  return platform(world, {
    operation,
    method: "GET",
    path: `/auth/${isOfSessions ? "sessions" : "credentials"}?accountId=${accountId}`,
    isAlone: true,
    expects: [200],
    requires: ({ data }) =>
      sameIds(data, wanted) ? undefined : `${operation} of ${accountId} does not show ${wanted}`,
  });
};

/** Asks for the end or the renewal of a session. */
const endSession: MakeCall = (client) => {
  const { model, chance, nowMs } = client;
  const id = oneThat(model.sessions, chance, () => true);
  const session = id === undefined ? undefined : model.sessions[id];
  if (id === undefined || !session) return undefined;
  const isOn = isActive(session, nowMs());
  const isRenewed = chance.oneIn(2);
  const path = `/auth/sessions/${id}`;
  const one = isRenewed
    ? { operation: "refreshSession", method: "POST", path: `${path}/refresh` }
    : { operation: "deleteSession", method: "DELETE", path };
  return firstCall(client, session.walletId, {
    ...one,
    ...(isRenewed && { body: { clientPublicKey: CLIENT_KEY } }),
    target: id,
    expects: isOn ? [202] : isRenewed ? [401] : [404],
  });
};

const revoke: MakeCall = (client) => {
  const { model, chance } = client;
  const id = oneThat(model.credentials, chance, () => true);
  const one = id === undefined ? undefined : model.credentials[id];
  if (id === undefined || !one) return undefined;
  const isLast = credentialsOf(model, one.walletId).length === 1;
  const call = firstCall(client, one.walletId, {
    operation: "deleteCredential",
    method: "DELETE",
    path: `/auth/credentials/${id}`,
    target: id,
    expects: [],
  });
  // A deleted customer changes nothing about who may be asked.
  return { ...call, expects: one.isDeleted ? [404] : isLast ? [400] : [202] };
};

const ofWallet: MakeCall = (client) => {
  const accountId = ownedWallet(client);
  if (accountId === undefined) return undefined;
  const path = `/internal-accounts/${accountId}`;
  const isExport = client.chance.oneIn(2);
  return firstCall(client, accountId, {
    ...(isExport
      ? { operation: "exportWallet", method: "POST", path: `${path}/export` }
      : { operation: "updateInternalAccount", method: "PATCH", path }),
    body: isExport ? { clientPublicKey: CLIENT_KEY } : { privateEnabled: client.chance.oneIn(2) },
    expects: [202],
  });
};

/** Takes over that a signed retry was done. */
const takeAnswered = (model: WorldModel, requestId: string) => {
  const answered = model.challenges[requestId];
  if (!answered || answered.isUsed) return;
  answered.isUsed = true;
  const { operation, target = "" } = answered;
  const session = model.sessions[target];
  if (operation === "deleteSession" && session) session.isEnded = true;
  const credential = model.credentials[target];
  if (operation !== "deleteCredential" || !credential) return;
  credential.isDeleted = true;
  for (const one of Object.values(model.sessions))
    if (one.credentialId === target) one.isEnded = true;
};

/** Statuses of a signed retry, by what has become of its target meanwhile. */
const statusesOf = (model: WorldModel, asked: ChallengeModel, nowMs: number): number[] => {
  const { operation, target = "", walletId, expiresAtMs, isUsed } = asked;
  if (isUsed) return [401];
  const isLate = nowMs >= expiresAtMs;
  const isOpen = isOwned(model, walletId);
  if (operation === "deleteSession" || operation === "refreshSession") {
    const session = model.sessions[target];
    if (!session || !isActive(session, nowMs)) return operation === "deleteSession" ? [404] : [401];
  }
  if (operation === "deleteCredential") {
    if (model.credentials[target]?.isDeleted) return [404];
    if (credentialsOf(model, walletId).length === 1) return [400];
  }
  if (operation === "createCredential") {
    const { type } = asked.body as { type: string };
    if (credentialsOf(model, walletId).some(([, one]) => one.type === type)) return [400];
    // All others are gone: the first credential needs no signature.
    if (credentialsOf(model, walletId).length === 0) return [201];
  }
  if (isLate) return [401];
  const done = { createCredential: 201, refreshSession: 201, deleteCredential: 204 };
  const status = { ...done, deleteSession: 204 }[operation as keyof typeof done] ?? 200;
  return isOpen ? [status] : [status, 401];
};

/** The signed retry of a challenge, at times of one that was used. */
const answer: MakeCall = ({ world, model, chance, nowMs }) => {
  const revocation = oneThat(
    model.challenges,
    chance,
    ({ isUsed, operation }) => !isUsed && operation === "deleteCredential",
  );
  const any = oneThat(model.challenges, chance, ({ isUsed }) => !isUsed || chance.oneIn(4));
  const requestId = chance.oneIn(2) ? (revocation ?? any) : any;
  const asked = requestId === undefined ? undefined : model.challenges[requestId];
  if (requestId === undefined || !asked) return undefined;
  const { operation, method, path, body } = asked;
  return platform(world, {
    operation,
    method,
    path,
    ...(body !== undefined && { body }),
    headers: {
      "service-wallet-signature": MAGIC_VALUES.walletSignature,
      "request-id": requestId,
    },
    isAlone: true,
    expects: statusesOf(model, asked, nowMs()),
    done: (known) => takeAnswered(known, requestId),
    look: takeNew,
    learn: (known, found) => {
      if (found.get("Request", requestId)?.usedAtMs !== undefined) takeAnswered(known, requestId);
      takeNew(known, found);
    },
  });
};

/** A mail that has come, or that does not come in time. */
const readMail: MakeCall = ({ world }) => ({
  surface: "control",
  world,
  operation: "waitForMail",
  method: "GET",
  path: "/inbox/wait?timeoutMs=20",
  expects: [200, 404],
});

const withdrawalFee: MakeCall = ({ world, model, chance }) => {
  const internalAccountId = oneOf(model.wallets, chance) ?? oneOf(model.accounts, chance);
  if (internalAccountId === undefined) return undefined;
  return platform(world, {
    operation: "estimateWithdrawalFee",
    method: "POST",
    path: "/crypto/estimate-withdrawal-fee",
    body: {
      internalAccountId,
      currency: "USDB",
      cryptoNetwork: "SOLANA",
      amount: 1_000_000,
      destinationAddress: "7nYBs5Zv2m",
    },
    // An account in dollars holds no crypto.
    expects: internalAccountId in model.wallets ? [200, 400] : [400],
  });
};

for (const operation of ["deleteCredential", "deleteSession", "refreshSession", "exportWallet"])
  FOLLOWING.set(operation, answer);
FOLLOWING.set("challengeCredential", verifyPasskey);

/** Calls that make a wallet with two credentials and a session. */
export const FIRST_WALLET_CALLS: readonly MakeCall[] = [
  findWallet,
  addCredential,
  verify,
  addCredential,
  answer,
  verify,
];

/** Calls of owners of wallets. */
export const WALLET_CALLS: readonly (readonly [weight: number, make: MakeCall])[] = [
  [3, findWallet],
  [7, addCredential],
  [4, challenge],
  [8, verify],
  [4, verifyPasskey],
  [8, list],
  [8, endSession],
  [12, revoke],
  [5, ofWallet],
  [14, answer],
  [1, readMail],
  [2, withdrawalFee],
];

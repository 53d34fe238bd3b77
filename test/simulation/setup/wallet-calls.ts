import { MAGIC_VALUES } from "../../../src/contract/core/magic-values.ts";
import { addCredential, challenge, findWallet, verify, verifyPasskey } from "./credential-calls.ts";
import { FOLLOWING, type MakeCall, platform } from "./platform-calls.ts";
import {
  CLIENT_KEY,
  credentialsOf,
  firstCall,
  isActive,
  isOwned,
  ownedWallet,
  takeNew,
} from "./wallet-model.ts";
import { type ChallengeModel, oneOf, oneThat, type WorldModel } from "./world-model.ts";

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

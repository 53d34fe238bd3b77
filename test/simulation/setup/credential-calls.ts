import { MAGIC_VALUES } from "../../../src/contract/core/magic-values.ts";
import { type MakeCall, platform, present } from "./platform-calls.ts";
import {
  CLIENT_KEY,
  credentialsOf,
  firstCall,
  isOwned,
  ownedWallet,
  takeNew,
} from "./wallet-model.ts";
import { oneThat, type WorldModel } from "./world-model.ts";

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

export const findWallet: MakeCall = ({ world, model, chance }) => {
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

export const addCredential: MakeCall = (client) => {
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

export const challenge: MakeCall = ({ world, model, chance }) => {
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
export const verify: MakeCall = ({ world, model, chance, nowMs, keySet }) => {
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
export const verifyPasskey: MakeCall = ({ world, model, chance, nowMs }) => {
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

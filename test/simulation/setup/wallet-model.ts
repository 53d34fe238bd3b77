import type { Call, Found, Parsed } from "./call.ts";
import { type Client, platform } from "./platform-calls.ts";
import type { WorldModel } from "./world-model.ts";

/** The base point of P-256, whose private key is 1. */
export const CLIENT_KEY =
  "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296" +
  "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5";

/** Credentials of a wallet that are there. */
export const credentialsOf = ({ credentials }: WorldModel, walletId: string) =>
  Object.entries(credentials).filter(([, one]) => one.walletId === walletId && !one.isDeleted);

export const isOwned = ({ customers, wallets }: WorldModel, walletId: string) =>
  customers[wallets[walletId]?.customerId ?? ""]?.isDeleted === false;

/** A wallet whose customer is there. */
export const ownedWallet = ({ model, chance }: Client) => {
  const ids = Object.keys(model.wallets).filter((id) => isOwned(model, id));
  return ids.length === 0 ? undefined : chance.pick(ids);
};

/** True for a session that signs: it was not ended, and its last instant has not come. */
export const isActive = (
  { isEnded, expiresAtMs }: { isEnded: boolean; expiresAtMs: number },
  nowMs: number,
) => !isEnded && nowMs < expiresAtMs;

/** Takes over credentials and sessions that a call has made, whether its answer came or not. */
export const takeNew = (model: WorldModel, found: Found) => {
  for (const id of found.ids("AuthMethod")) {
    const { accountId, type } = found.get("AuthMethod", id);
    if (accountId in model.wallets)
      model.credentials[id] ??= { walletId: accountId, type, isDeleted: false };
  }
  for (const id of found.ids("Session")) {
    const { accountId, authMethodId, expiresAtMs, revokedAtMs } = found.get("Session", id);
    if (accountId in model.wallets)
      model.sessions[id] ??= {
        walletId: accountId,
        credentialId: authMethodId,
        expiresAtMs,
        // It may have ended before anybody learned of it.
        isEnded: revokedAtMs !== undefined,
      };
  }
};

/** A first call, and the challenge that answers it. */
export const firstCall = (
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

import { all, type View } from "../core/draft.ts";
import type { ApiTokenRecord } from "../records/platform-records.ts";
import type { Kind, Records } from "../records/records.ts";

/** Key of a user name and the SHA-256 of its secret. */
export const keyOfUser = (user: string, secretHash: string) => `user ${user} ${secretHash}`;

/** Key of an agent's access token, by its SHA-256. */
export const keyOfAgent = (tokenHash: string) => `agent ${tokenHash}`;

/** Key of a device code. */
export const keyOfCode = (code: string) => `code ${code.toUpperCase()}`;

const keysOfToken = ({ id, clientId, secretHash }: ApiTokenRecord) => [
  keyOfUser(id, secretHash),
  keyOfUser(clientId, secretHash),
];

/** Keys of the credentials that one client id proves in a world. */
export const keysOfClient = (view: View, clientId: string): string[] =>
  all(view, "ApiToken")
    .filter((token) => token.clientId === clientId)
    .map(({ secretHash }) => keyOfUser(clientId, secretHash));

/** Kinds of records that something calls a world by. */
export const CALLER_KINDS = ["ApiToken", "Agent", "DeviceCode"] as const;

/** Keys of what calls a world by a record; none where nothing does. */
export const keysOfRecord = ([kind, record]: {
  [K in Kind]: readonly [K, Records[K]];
}[Kind]): string[] => {
  if (kind === "ApiToken") return keysOfToken(record);
  if (kind === "DeviceCode") return [keyOfCode(record.code)];
  return kind === "Agent" && record.tokenHash !== undefined ? [keyOfAgent(record.tokenHash)] : [];
};

/**
 * Keys of all that call a world: they tell whether a request means it while its records are not in
 * memory (decisions/loaded-by-first-call.md).
 */
export const callerKeys = (view: View): string[] => [
  ...all(view, "ApiToken").flatMap((token) => keysOfRecord(["ApiToken", token])),
  ...all(view, "Agent").flatMap((agent) => keysOfRecord(["Agent", agent])),
  ...all(view, "DeviceCode").flatMap((code) => keysOfRecord(["DeviceCode", code])),
];

import { defined } from "../../contract/core/defined.ts";
import type { Kind } from "../../domain/records/records.ts";
import type { Change } from "../change.ts";

type Members = Record<string, unknown>;
type Upgrade = (record: Members) => Members;

const ofInternal = (id: unknown) =>
  typeof id === "string" && id.startsWith("InternalAccount:") ? id : undefined;

/** Amount that an OUTGOING transaction of format 1 had collected, by its status. */
const collectedIn1 = ({ status, sentMinor }: Members) =>
  status === "PENDING" || status === "EXPIRED" ? {} : { collectedMinor: sentMinor };

/** Upgrades a transaction: format 1 had only payments between accounts, from an internal one. */
const transactionFrom1: Upgrade = (record) => {
  const { sourceAccountId, destinationAccountId, course, ...kept } = record;
  const credits = ofInternal(destinationAccountId);
  const { row, step } = (course ?? {}) as { row?: string; step?: number };
  return {
    ...kept,
    source: { sourceType: "ACCOUNT", accountId: sourceAccountId },
    destination: { destinationType: "ACCOUNT", accountId: destinationAccountId },
    debitsAccountId: sourceAccountId,
    ...defined({ creditsAccountId: credits }),
    ...collectedIn1(record),
    ...(course !== undefined && { course: { rows: [`quotedPayment.${row}`], step } }),
  };
};

const quoteFrom1: Upgrade = ({ source, destination, ...kept }) => ({
  ...kept,
  source: { sourceType: "ACCOUNT", ...(source as object) },
  destination: { destinationType: "ACCOUNT", ...(destination as object) },
});

/** Changes of each format version, by the version that they upgrade from. */
const UPGRADES: Readonly<Record<number, Partial<Record<Kind, Upgrade>>>> = {
  1: { Transaction: transactionFrom1, Quote: quoteFrom1 },
};

/** A record of an older version, in the present format. */
export const upgradedRecord = <T>(kind: Kind, record: T, fromVersion: number): T => {
  let upgraded = record as unknown as Members;
  for (let version = fromVersion; version in UPGRADES; version += 1)
    upgraded = UPGRADES[version]?.[kind]?.(upgraded) ?? upgraded;
  return upgraded as T;
};

/** A change in the present format; a change of this version is returned as it is. */
export const upgradedChange = (change: Change): Change => {
  if (!(change.v in UPGRADES) || !change.put) return change;
  const put = change.put.map(([kind, record]) => [kind, upgradedRecord(kind, record, change.v)]);
  return { ...change, put: put as NonNullable<Change["put"]> };
};

import type { CurrencyCode } from "../../contract/money/currencies.ts";
import type { RequiredField } from "../../contract/platform/config.ts";
import type { UmaLocalPart } from "../outcomes/outcomes.ts";

interface SandboxPerson {
  /** Currencies of the person; the first one when a payment names none. */
  currencies: readonly CurrencyCode[];
  /** Payer information that the person requires. */
  requiredFields: readonly RequiredField[];
}

/** Smallest and largest payment they take, in the smallest unit of any of their currencies. */
export const SANDBOX_PERSON_BOUNDS = { minMinor: 100, maxMinor: 10_000_000 } as const;

const NAME: readonly RequiredField[] = [{ name: "FULL_NAME", mandatory: true }];
const NAME_AND_BIRTH: readonly RequiredField[] = [...NAME, { name: "BIRTH_DATE", mandatory: true }];

/**
 * The people at the sandbox's UMA domain as a lookup shows them (spec/lookups.md#sandbox-people).
 */
export const SANDBOX_PEOPLE = {
  "$success.usd": { currencies: ["USD", "EUR"], requiredFields: NAME_AND_BIRTH },
  "$success.eur": { currencies: ["EUR", "USD"], requiredFields: NAME_AND_BIRTH },
  "$success.mxn": { currencies: ["MXN", "USD", "EUR"], requiredFields: NAME_AND_BIRTH },
  "$pending.long.usd": { currencies: ["USD", "EUR"], requiredFields: NAME },
  "$fail.compliance.usd": { currencies: ["USD", "EUR"], requiredFields: NAME },
} as const satisfies Record<UmaLocalPart, SandboxPerson>;

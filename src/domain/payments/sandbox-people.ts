import type { CurrencyCode } from "../../contract/money/currencies.ts";
import type { RequiredField } from "../../contract/platform/config.ts";
import type { UmaLocalPart } from "../outcomes/outcomes.ts";

interface SandboxPerson {
  /** What they can be paid in; the first one when a payment names none. */
  currencies: readonly CurrencyCode[];
  /** What they want to know of whoever pays them. */
  requiredFields: readonly RequiredField[];
}

/** Smallest and largest payment they take, in the smallest unit of any of their currencies. */
export const SANDBOX_PERSON_BOUNDS = { minMinor: 100, maxMinor: 10_000_000 } as const;

const NAME: readonly RequiredField[] = [{ name: "FULL_NAME", mandatory: true }];
const NAME_AND_BIRTH: readonly RequiredField[] = [...NAME, { name: "BIRTH_DATE", mandatory: true }];

/** What a lookup tells of the people at the sandbox's UMA domain (payments O-26). */
export const SANDBOX_PEOPLE = {
  "$success.usd": { currencies: ["USD", "EUR"], requiredFields: NAME_AND_BIRTH },
  "$success.eur": { currencies: ["EUR", "USD"], requiredFields: NAME_AND_BIRTH },
  "$success.mxn": { currencies: ["MXN", "USD", "EUR"], requiredFields: NAME_AND_BIRTH },
  "$pending.long.usd": { currencies: ["USD", "EUR"], requiredFields: NAME },
  "$fail.compliance.usd": { currencies: ["USD", "EUR"], requiredFields: NAME },
} as const satisfies Record<UmaLocalPart, SandboxPerson>;

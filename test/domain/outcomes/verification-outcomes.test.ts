import { describe, expect, test } from "vitest";
import { OWNER_ROLES } from "../../../src/contract/customers/beneficial-owners.ts";
import { CUSTOMER_STATUSES } from "../../../src/contract/customers/customer-statuses.ts";
import { VERIFICATION_STATUSES } from "../../../src/contract/customers/verifications.ts";
import { EVENT_TYPES } from "../../../src/contract/webhooks/events.ts";
import { DURATIONS } from "../../../src/domain/core/durations.ts";
import { outcomeFor } from "../../../src/domain/outcomes/outcomes.ts";
import {
  BENEFICIAL_OWNER_OUTCOMES,
  type CustomerVerificationOutcome,
  type OwnerOutcome,
  VERIFICATION_OUTCOMES,
} from "../../../src/domain/outcomes/verification-outcomes.ts";

const EVERY_SUFFIX = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, "0"));

/** spec/beneficial-owners.md#kyc-outcome */
test.each([
  { suffix: "001", kycStatus: "PENDING" },
  { suffix: "002", kycStatus: "REJECTED" },
  { suffix: "otherwise", kycStatus: "APPROVED" },
])("an owner whose name ends $suffix is $kycStatus", ({ suffix, kycStatus }) => {
  const { row, outcome } = outcomeFor<OwnerOutcome>(BENEFICIAL_OWNER_OUTCOMES, suffix);
  expect(row).toBe(suffix);
  expect(outcome.kycStatus).toBe(kycStatus);
});

/** spec/verifications.md#business-outcomes */
test.each([
  { match: "001", status: "IN_PROGRESS", passes: undefined, leaves: "PENDING" },
  { match: "002", status: "REJECTED", passes: "PENDING", leaves: "REJECTED" },
  { match: "incomplete", status: "RESOLVE_ERRORS", passes: undefined, leaves: undefined },
  { match: "individual", status: "APPROVED", passes: undefined, leaves: "APPROVED" },
  { match: "otherwise", status: "APPROVED", passes: "PENDING", leaves: "APPROVED" },
])("the verification $match is $status and leaves $leaves", ({ match, status, passes, leaves }) => {
  const { row, outcome } = outcomeFor<CustomerVerificationOutcome>(VERIFICATION_OUTCOMES, match);
  expect(row).toBe(match);
  expect(outcome.verificationStatus).toBe(status);
  expect(outcome.passes).toBe(passes);
  expect(outcome.leaves).toBe(leaves);
});

describe("of a thousand endings", () => {
  test.each([
    { what: "owner", table: BENEFICIAL_OWNER_OUTCOMES },
    { what: "verification", table: VERIFICATION_OUTCOMES },
  ])("two are special, of an $what", ({ table }) => {
    const chosen = EVERY_SUFFIX.filter(
      (suffix) => outcomeFor<object>(table, suffix).row !== "otherwise",
    );
    expect(chosen).toEqual(["001", "002"]);
    expect(outcomeFor<object>(table, undefined).row).toBe("otherwise");
  });

  test("the tables have no other rows than those tested here", () => {
    expect(Object.keys(BENEFICIAL_OWNER_OUTCOMES)).toEqual(["001", "002", "otherwise"]);
    expect(Object.keys(VERIFICATION_OUTCOMES).sort()).toEqual([
      "001",
      "002",
      "incomplete",
      "individual",
      "otherwise",
    ]);
  });
});

test("every status of a verification has an event, as the catalogue spells it", () => {
  expect(EVENT_TYPES.filter((type) => type.startsWith("VERIFICATION."))).toEqual([
    "VERIFICATION.APPROVED",
    "VERIFICATION.REJECTED",
    "VERIFICATION.RESOLVE_ERRORS",
    "VERIFICATION.IN_PROGRESS",
    "VERIFICATION.PENDING_MANUAL_REVIEW",
    "VERIFICATION.READY_FOR_VERIFICATION",
  ]);
  for (const status of VERIFICATION_STATUSES)
    expect(EVENT_TYPES).toContain(`VERIFICATION.${status}`);
});

test("the words of owners are the published ones", () => {
  expect(OWNER_ROLES).toEqual([
    "UBO",
    "DIRECTOR",
    "COMPANY_OFFICER",
    "CONTROL_PERSON",
    "TRUSTEE",
    "GENERAL_PARTNER",
  ]);
  expect(CUSTOMER_STATUSES).toEqual(["UNVERIFIED", "PENDING", "APPROVED", "REJECTED"]);
});

test("a KYC link lasts a day", () => {
  expect(DURATIONS.kycLinkLifetimeMs).toBe(86_400_000);
});

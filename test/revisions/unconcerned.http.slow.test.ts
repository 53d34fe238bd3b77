import { describe, expect, test } from "vitest";
import { LATER_OPERATIONS } from "../../src/contract/operations.ts";
import { worldPerTest } from "../api/setup/world-per-test.ts";
import { createPayee, createPayer, quoteInput } from "../setup/platform.ts";

const LATER = "2026-08";

const NOBODY = "00000000-0000-7000-8000-000000000000";

/** Features of which only refusals are served, with the reason of each operation. */
const REASONS: Record<string, string> = {
  authorizeQuote: "SCA_NOT_REQUIRED",
  resendQuoteScaCode: "SCA_NOT_REQUIRED",
  listScaFactors: "SCA_NOT_REQUIRED",
  startScaFactorEnrollment: "SCA_NOT_REQUIRED",
  confirmScaFactorEnrollment: "SCA_NOT_REQUIRED",
  startScaLogin: "SCA_NOT_REQUIRED",
  completeScaLogin: "SCA_NOT_REQUIRED",
  recordSecurityEvent: "SCA_NOT_REQUIRED",
  startTwoFactorReset: "SCA_NOT_REQUIRED",
  startBeneficiaryTrust: "SCA_NOT_REQUIRED",
  confirmBeneficiaryTrust: "SCA_NOT_REQUIRED",
  startBeneficiaryUntrust: "SCA_NOT_REQUIRED",
  confirmBeneficiaryUntrust: "SCA_NOT_REQUIRED",
  createExternalAccountOwnershipChallenge: "OWNERSHIP_VERIFICATION_NOT_REQUIRED",
  createPlatformExternalAccountOwnershipChallenge: "OWNERSHIP_VERIFICATION_NOT_REQUIRED",
  verifyExternalAccountOwnership: "NO_OWNERSHIP_CHALLENGE",
  verifyPlatformExternalAccountOwnership: "NO_OWNERSHIP_CHALLENGE",
  sendCustomerEmailVerification: "CONTACT_VERIFICATION_NOT_REQUIRED",
  confirmCustomerEmailVerification: "CONTACT_VERIFICATION_NOT_REQUIRED",
  sendCustomerPhoneVerification: "CONTACT_VERIFICATION_NOT_REQUIRED",
  confirmCustomerPhoneVerification: "CONTACT_VERIFICATION_NOT_REQUIRED",
};

/** Operations about things that nobody has. */
const ALWAYS_UNKNOWN = ["deleteScaFactor", "getTwoFactorResetStatus", "completeTwoFactorReset"];

const OPERATIONS = LATER_OPERATIONS.filter(
  ({ operationId }) => operationId in REASONS || ALWAYS_UNKNOWN.includes(operationId),
);

const isSca = (path: string) => path.startsWith("/sca/");

describe("an operation that concerns nobody", () => {
  const world = worldPerTest({ revision: LATER });

  const ids = async () => {
    const { customerId, accountId } = await createPayer(world());
    const payee = await createPayee(world(), customerId, "999");
    const quote = await world().call("POST", "/quotes", quoteInput(accountId, payee));
    expect(quote.status).toBe(201);
    const { body: platform } = await world().call("POST", "/platform/external-accounts", {
      currency: "USDC",
      accountInfo: {
        accountType: "ETHEREUM_WALLET",
        address: "0x742d35Cc6634C0532925a3b844Bc9e7595f0bEb1",
      },
    });
    return { customerId, quoteId: quote.body.id, externalAccountId: payee, platform: platform.id };
  };

  const placed = (path: string, of: Awaited<ReturnType<typeof ids>>) =>
    path
      .replace("{quoteId}", of.quoteId)
      .replace("{customerId}", of.customerId)
      .replace(
        "{externalAccountId}",
        path.startsWith("/platform/") ? of.platform : of.externalAccountId,
      )
      .replace("{credentialId}", "passkey-1")
      .replace("{resetId}", "reset-1") + (isSca(path) ? `?customerId=${of.customerId}` : "");

  test("is one of 24", () => {
    expect(OPERATIONS).toHaveLength(24);
  });

  // spec/later-customers.md#answers-to-others
  test.each(OPERATIONS)("$operationId is 409, or 404, before its body", async (row) => {
    const { method, path, operationId } = row;
    const body = method === "GET" || method === "DELETE" ? undefined : { nothing: "of the sort" };
    const answer = await world().call(method, placed(path, await ids()), body);
    expect([answer.status, answer.body.code, answer.body.reason]).toEqual(
      ALWAYS_UNKNOWN.includes(operationId)
        ? [404, "REFERENCE_NOT_FOUND", undefined]
        : [409, "CONFLICT", REASONS[operationId]],
    );
  });

  // spec/later-customers.md#answers-to-others
  test.each(OPERATIONS)("$operationId is 404 for unknown ids", async ({ method, path }) => {
    const unknown = path
      .replace("{quoteId}", `Quote:${NOBODY}`)
      .replace("{customerId}", `Customer:${NOBODY}`)
      .replace("{externalAccountId}", `ExternalAccount:${NOBODY}`)
      .replace(/\{\w+\}/, "nothing");
    const query = isSca(path) ? `?customerId=Customer:${NOBODY}` : "";
    expect((await world().call(method, unknown + query)).status).toBe(404);
  });

  // spec/later-customers.md#strong-authentication
  test.each(OPERATIONS.filter(({ path }) => isSca(path)))(
    "$operationId needs a customer in its query",
    async ({ method, path }) => {
      const { status, body } = await world().call(method, path.replace(/\{\w+\}/, "nothing"));
      expect([status, body.code, body.details.field]).toEqual([400, "INVALID_INPUT", "customerId"]);
    },
  );

  // spec/later-customers.md#contact-verification
  test("finds no deleted customer", async () => {
    const { body } = await world().call("POST", "/customers", { customerType: "INDIVIDUAL" });
    await world().call("DELETE", `/customers/${body.id}`);
    for (const path of [
      `/customers/${body.id}/verify-email`,
      `/sca/login/start?customerId=${body.id}`,
    ]) {
      const { status, body: answer } = await world().call("POST", path);
      expect([status, answer.code]).toEqual([404, "USER_NOT_FOUND"]);
    }
  });

  // spec/later-customers.md#ownership-of-wallets
  test("finds accounts of its own side alone", async () => {
    const { externalAccountId, platform } = await ids();
    for (const path of [
      `/customers/external-accounts/${platform}/challenge`,
      `/platform/external-accounts/${externalAccountId}/verify`,
    ])
      expect((await world().call("POST", path)).status).toBe(404);
  });
});

describe("an operation that concerns nobody, before", () => {
  const world = worldPerTest();

  test.each(OPERATIONS)("$operationId is unknown", async ({ method, path }) => {
    const { status, body } = await world().call(method, path.replace(/\{\w+\}/g, "nothing"));
    expect([status, body.reason]).toEqual([404, "UNKNOWN_OPERATION"]);
    expect(body.message).toContain(LATER);
  });
});

import { expect, test } from "vitest";
import { OPERATIONS } from "../api/setup/every-operation.ts";
import { callOperation, populate, VALID_BODIES } from "../api/setup/populated.ts";
import { worldPerTest } from "../api/setup/world-per-test.ts";

const world = worldPerTest();

const deliveryCount = async () => (await world().control("GET", "/webhooks")).body.totalCount;

// spec/events.md#silent-changes
test.each([
  "createBeneficialOwner",
  "patchBeneficialOwner",
  "deleteDocument",
  "createAgent",
  "patchAgent",
  "deleteAgent",
  "createAgentDeviceCode",
  "createCustomerExternalAccount",
  "createPlatformExternalAccount",
  "deleteCustomerExternalAccount",
  "createToken",
  "createKycLink",
  "lookUpExternalAccount",
])("%s sends no event", async (operationId) => {
  const ids = await populate(world());
  const one = OPERATIONS.find((operation) => operation.operationId === operationId);
  expect.assert(one);
  const before = await deliveryCount();
  const body = VALID_BODIES[operationId]?.(ids);
  const answer = await callOperation(world(), one, { ids, body });
  expect(answer.status).toBeLessThan(300);
  expect(await deliveryCount()).toBe(before);
});

import { expect, test } from "vitest";
import { PLATFORM_ENDPOINTS } from "../../../src/api/endpoints.ts";
import { connectAgent, GENEROUS } from "../../setup/agents.ts";
import { everyRow } from "../../setup/every-row.ts";
import { createPayee, createPayer } from "../../setup/platform.ts";
import { postDocument, putDocument } from "../../setup/uploads.ts";
import { type AgentParties, createAgentParties } from "../agents/setup/agent-parties.ts";
import { activeCard } from "../cards/setup/card-world.ts";
import { accountCase, creationBody, withEnding } from "../setup/account-bodies.ts";
import { DECLARED_AGENT_PAYMENT_REFUSALS } from "../setup/declared-agent-payment-refusals.ts";
import { expectRefused, invalid } from "../setup/refused.ts";
import { worldPerTest } from "../setup/world-per-test.ts";

const world = worldPerTest();

// Tests of each resource meet the other declared refusals; test/setup/met-refusals.ts asks for them.
test.each(DECLARED_AGENT_PAYMENT_REFUSALS)("$operation refuses with $word", async (row) => {
  const answer = await row.meet(world());
  expectRefused(answer, row.refused);
});

test("every refusal that is met here is declared", () => {
  const declared = PLATFORM_ENDPOINTS.flatMap(({ operationId, refuses }) =>
    refuses.map((word) => `${operationId} ${word}`),
  );
  const met = DECLARED_AGENT_PAYMENT_REFUSALS.map(({ operation, word }) => `${operation} ${word}`);
  expect(met.filter((name) => !declared.includes(name))).toEqual([]);
});

/** Results that a document's name stands for (spec/documents.md#file-name-endings). */
const FOUND = {
  LOW_QUALITY: "id-201.pdf",
  DATA_MISMATCH: "id-202.pdf",
  EXPIRED: "id-203.pdf",
  SUSPECTED_FRAUD: "id-204.pdf",
  UNSUITABLE_DOCUMENT: "id-205.pdf",
  INCOMPLETE: "id-206.pdf",
};

test("a document is not replaced by one that is found wanting", async () => {
  const { customerId } = await createPayer(world(), 0);
  const { body } = await postDocument(world(), customerId, { fileName: "id.pdf" });
  await everyRow(Object.entries(FOUND), async ([code, fileName]) => {
    const answer = await putDocument(world(), body.id, { fileName });
    expectRefused(answer, { status: 400, code, field: "file" });
  });
});

/** Invalid policies, and the invalid field of each. */
const BAD_POLICIES = [
  {
    field: "accountRestrictions.allowedAccountIds.0",
    refused: { ...invalid("", "ACCOUNT_KIND_NOT_ALLOWED") },
    part: ({ bank }: AgentParties) => ({ accountRestrictions: { allowedAccountIds: [bank] } }),
  },
  {
    field: "spendingLimits.dailyLimit",
    refused: { status: 400, code: "AMOUNT_OUT_OF_RANGE" },
    part: () => ({
      spendingLimits: { ...GENEROUS.spendingLimits, dailyLimit: 9_000_000_000_000_001 },
    }),
  },
];

test.each(BAD_POLICIES)(
  "a policy with a bad $field is refused",
  async ({ field, refused, part }) => {
    const { call } = world();
    const parties = await createAgentParties(world());
    const policy = { ...GENEROUS, ...part(parties) };
    const { customerId } = parties.payer;
    const created = await call("POST", "/agents", { name: "Invoice bot", customerId, policy });
    expectRefused(created, { ...refused, field: `policy.${field}` });
    const patched = await call("PATCH", `/agents/${parties.agent.id}/policy`, part(parties));
    expectRefused(patched, { ...refused, field });
  },
);

test("an agent cannot add an account that is invalid", async () => {
  const { customerId } = await createPayer(world(), 0);
  const agent = await connectAgent(world(), customerId);
  const mxn = accountCase("MXN_ACCOUNT");
  const body = creationBody(mxn, { clabeNumber: withEnding(mxn, "105") });
  expectRefused(await agent.call("POST", "/agents/me/external-accounts", body), {
    status: 400,
    code: "INVALID_BANK_ACCOUNT",
    field: "accountInfo.clabeNumber",
  });
});

test("a card cannot be funded from an external account", async () => {
  const { holder, cardId } = await activeCard(world(), { on: "usd", minor: 2_000 });
  const fundingSources = [await createPayee(world(), holder.customerId, "999")];
  expectRefused(
    await world().call("PATCH", `/cards/${cardId}`, { fundingSources }),
    invalid("fundingSources.0", "ACCOUNT_KIND_NOT_ALLOWED"),
  );
});

import { describe, expect, test } from "vitest";
import { everyRow } from "../../setup/every-row.ts";
import { fingerprintOf, OPERATIONS, type Operation } from "../setup/every-operation.ts";
import {
  callOperation,
  headersOf,
  type KnownIds,
  knownPath,
  populate,
  VALID_BODIES,
} from "../setup/populated.ts";
import { expectErrorShape, expectRefused, type Refused } from "../setup/refused.ts";
import { preparedOnce, worldPerTest } from "../setup/world-per-test.ts";

const JSON_TYPE = { "content-type": "application/json" };

const world = worldPerTest();
const populated = preparedOnce(populate);

type Path = (string | number)[];

/** Members of a policy for which `null` is a valid value. */
const NULLABLE_IN_POLICY = [
  "spendingLimits.dailyLimit",
  "spendingLimits.monthlyLimit",
  "accountRestrictions.allowedAccountIds",
  "accountRestrictions.accountRules.0.perTransactionLimit",
  "approvalThresholds.amount",
];

/** Members for which `null` is a valid value (spec/errors.md#body-rules). */
const NULLABLE: Record<string, string[]> = {
  patchConfig: ["umaDomain"],
  createCustomerExternalAccount: ["customerId"],
  agentCreateExternalAccount: ["customerId"],
  createAgent: NULLABLE_IN_POLICY.map((member) => `policy.${member}`),
  patchAgentPolicy: NULLABLE_IN_POLICY,
};
/** Texts without a length limit in the specification. */
const UNBOUNDED = [
  "description",
  "platformAccountId",
  "challenge",
  "attestation.credentialId",
  "attestation.clientDataJson",
  "attestation.attestationObject",
  "reason",
];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** Paths of every member and item of a body, except the body itself. */
const pathsOf = (value: unknown, path: Path = []): Path[] => {
  if (!isObject(value)) return [path];
  const members = Array.isArray(value) ? value.entries() : Object.entries(value);
  const inner = [...members].flatMap(([key, item]) => pathsOf(item, [...path, key]));
  return path.length === 0 ? inner : [path, ...inner];
};

const valueAt = (root: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], root);

/** A copy of a body with one member replaced. */
const withMember = (root: object, path: Path, value: unknown): object => {
  const copy = structuredClone(root) as Record<string, unknown>;
  const parent = path
    .slice(0, -1)
    .reduce<Record<string, unknown>>((node, key) => node[key] as Record<string, unknown>, copy);
  parent[path.at(-1) as string] = value;
  return copy;
};

/** Values of every type other than the member's. */
const otherTypes = (value: unknown): unknown[] => {
  const junk = ["5", 5, true, null, [], {}];
  const typeOf = (one: unknown) =>
    Array.isArray(one) ? "list" : one === null ? "null" : typeof one;
  return junk.filter((one) => typeOf(one) !== typeOf(value));
};

const known = OPERATIONS.filter(({ operationId }) => VALID_BODIES[operationId] !== undefined);
const SAMPLE_IDS: KnownIds = {
  customerId: "c",
  accountId: "a",
  externalAccountId: "e",
  bankId: "b",
  waitingQuoteId: "w",
  lookupId: "l",
  walletId: "w",
  businessId: "b",
};
const MEMBERS = known.flatMap((one) =>
  pathsOf(VALID_BODIES[one.operationId]?.(SAMPLE_IDS)).map((path) => ({
    ...one,
    path: one.path,
    operation: one,
    member: path.join("."),
    at: path,
  })),
);

const bodyOf = ({ operationId }: Operation, ids: KnownIds) =>
  VALID_BODIES[operationId]?.(ids) ?? {};
const send = (one: Operation, ids: KnownIds, body: unknown) =>
  callOperation(world(), one, { ids, body });

test("every sample body is accepted", () =>
  everyRow(
    known,
    async (one) => {
      const ids = await populated(world());
      expect((await send(one, ids, bodyOf(one, ids))).status).toBeLessThan(300);
    },
    ({ operationId }) => operationId,
  ));

/** Refused calls change nothing, so that one world does for all of them. */
const unchanged = async (act: (ids: KnownIds) => Promise<void>) => {
  const ids = await populated(world());
  const before = await fingerprintOf(world());
  await act(ids);
  expect(await fingerprintOf(world())).toEqual(before);
};

test("a member of another type is refused", () =>
  unchanged((ids) =>
    everyRow(
      MEMBERS,
      async ({ operation, at, member }) => {
        const body = bodyOf(operation, ids);
        for (const junk of otherTypes(valueAt(body, at))) {
          if (junk === null && NULLABLE[operation.operationId]?.includes(member)) continue;
          const answer = await send(operation, ids, withMember(body, at, junk));
          const { code, details } = answer.body;
          const isNamed = details?.field.startsWith(member);
          expect({ junk, status: answer.status, code, isNamed }).toEqual({
            junk,
            status: 400,
            code: "INVALID_INPUT",
            isNamed: true,
          });
          expectErrorShape(answer);
        }
      },
      ({ operationId, member }) => `${member} of ${operationId}`,
    ),
  ));

/** Members with a closed list of values. */
const ENUMS = [
  { operationId: "createToken", member: "permissions.0" },
  { operationId: "estimateWithdrawalFee", member: "cryptoNetwork" },
  { operationId: "createCustomer", member: "customerType" },
  { operationId: "createCustomerExternalAccount", member: "accountInfo.accountType" },
  {
    operationId: "createCustomerExternalAccount",
    member: "accountInfo.beneficiary.beneficiaryType",
  },
  { operationId: "createPlatformExternalAccount", member: "accountInfo.pixKeyType" },
  { operationId: "createQuote", member: "source.sourceType" },
  { operationId: "createQuote", member: "destination.destinationType" },
  { operationId: "createQuote", member: "destination.paymentRail" },
  { operationId: "createQuote", member: "lockedCurrencySide" },
  { operationId: "createQuote", member: "purposeOfPayment" },
  { operationId: "createAgent", member: "policy.permissions.0" },
  { operationId: "createAgent", member: "policy.defaultExecutionMode" },
  { operationId: "createAgent", member: "policy.accountRestrictions.accountRules.0.executionMode" },
  { operationId: "patchAgentPolicy", member: "permissions.0" },
  { operationId: "patchAgentPolicy", member: "defaultExecutionMode" },
  { operationId: "patchAgentPolicy", member: "accountRestrictions.accountRules.0.executionMode" },
  { operationId: "agentCreateQuote", member: "lockedCurrencySide" },
  { operationId: "agentCreateQuote", member: "purposeOfPayment" },
  { operationId: "patchConfig", member: "supportedCurrencies.0.enabledTransactionTypes.0" },
  { operationId: "patchConfig", member: "supportedCurrencies.0.requiredCounterpartyFields.0.name" },
];

test("a value outside its list is refused", () =>
  unchanged((ids) =>
    everyRow(ENUMS, async ({ operationId, member }) => {
      const found = MEMBERS.find((one) => one.operationId === operationId && one.member === member);
      if (!found) throw new Error(`Expected ${member} of ${operationId} in its sample body`);
      const body = bodyOf(found.operation, ids);
      const own = String(valueAt(body, found.at));
      for (const value of [
        "",
        "NO_SUCH_VALUE",
        own.toLowerCase(),
        ` ${own}`,
        `${own} `,
        "__proto__",
      ])
        expectRefused(await send(found.operation, ids, withMember(body, found.at, value)), {
          status: 400,
          code: "INVALID_INPUT",
          field: member,
        });
    }),
  ));

/** Raw JSON numbers that `JSON.stringify` cannot write. */
const NUMBERS = [
  { text: "1e400", code: "AMOUNT_OUT_OF_RANGE" },
  { text: "1e308", code: "AMOUNT_OUT_OF_RANGE" },
  { text: "9007199254740993", code: "AMOUNT_OUT_OF_RANGE" },
  { text: "9000000000000001", code: "AMOUNT_OUT_OF_RANGE" },
  { text: "99999999999999999999999999", code: "AMOUNT_OUT_OF_RANGE" },
  { text: "0", code: "INVALID_AMOUNT" },
  { text: "-0", code: "INVALID_AMOUNT" },
  { text: "-1", code: "INVALID_AMOUNT" },
  { text: "-1e400", code: "INVALID_AMOUNT" },
  { text: "-9000000000000001", code: "INVALID_AMOUNT" },
  { text: "0.5", code: "INVALID_AMOUNT" },
  { text: "100.00000000001", code: "INVALID_AMOUNT" },
  { text: "1e-400", code: "INVALID_AMOUNT" },
  { text: "NaN", code: "INVALID_REQUEST_FORMAT" },
  { text: "Infinity", code: "INVALID_REQUEST_FORMAT" },
  { text: "0x10", code: "INVALID_REQUEST_FORMAT" },
  { text: "1_000", code: "INVALID_REQUEST_FORMAT" },
  { text: "1n", code: "INVALID_REQUEST_FORMAT" },
];

/**
 * An agent's limits are checked before the bounds of an amount (spec/errors.md#order-of-checks).
 */
const ABOVE_LIMIT = {
  status: 403,
  code: "FORBIDDEN",
  reason: "PER_TRANSACTION_LIMIT_EXCEEDED",
};

/** Every operation that takes an amount, and the member that holds it. */
const AMOUNTS: { operationId: string; member: string; tooMuch?: Refused }[] = [
  { operationId: "createInvitation", member: "amountToSend" },
  { operationId: "estimateWithdrawalFee", member: "amount" },
  { operationId: "createQuote", member: "lockedCurrencyAmount" },
  { operationId: "fundInternalAccount", member: "amount" },
  { operationId: "transferIn", member: "amount" },
  { operationId: "transferOut", member: "amount" },
  { operationId: "sandboxSend", member: "currencyAmount" },
  { operationId: "agentCreateQuote", member: "lockedCurrencyAmount" },
  { operationId: "agentTransferIn", member: "amount", tooMuch: ABOVE_LIMIT },
  { operationId: "agentTransferOut", member: "amount", tooMuch: ABOVE_LIMIT },
];

test.each(AMOUNTS)("an amount of $operationId is refused", ({ operationId, member, tooMuch }) =>
  unchanged((ids) =>
    everyRow(NUMBERS, async ({ text, code }) => {
      const one = OPERATIONS.find((each) => each.operationId === operationId) as Operation;
      const marked = JSON.stringify(withMember(bodyOf(one, ids), [member], "@"));
      const answer = await world().raw(one.method, knownPath(one, ids), {
        headers: { ...headersOf(one, ids), ...JSON_TYPE },
        body: marked.replace('"@"', text),
      });
      const field = code === "INVALID_REQUEST_FORMAT" ? {} : { field: member };
      const refused = code === "AMOUNT_OUT_OF_RANGE" ? tooMuch : undefined;
      expectRefused(answer, refused ?? { status: 400, code, ...field });
    }),
  ),
);

const HOSTILE = ["__proto__", "\\u005f_proto__", "constructor", "prototype", "toString"];

describe("a member that every object has", () => {
  test.each(HOSTILE)("does not stand in for one that is missing: %s", async (name) => {
    const body = `{"${name}":{"customerType":"INDIVIDUAL","fullName":"Lena"}}`;
    const answer = await world().raw("POST", "/customers", { headers: JSON_TYPE, body });
    expectRefused(answer, { status: 400, code: "INVALID_INPUT", field: "customerType" });
  });

  test.each(HOSTILE)("is harmless beside valid ones: %s", async (name) => {
    const polluting = `"${name}":{"polluted":true,"status":"X"}`;
    const account = JSON.stringify({
      currency: "USDC",
      accountInfo: { accountType: "BASE_WALLET", address: `0x${"1".repeat(40)}` },
    });
    const body = account
      .replace('"currency"', `${polluting},"currency"`)
      .replace('"accountType"', `${polluting},"accountType"`);
    const path = "/platform/external-accounts";
    const answer = await world().raw("POST", path, { headers: JSON_TYPE, body });
    expect(answer.status).toBe(201);
    expect({}).not.toHaveProperty("polluted");
    expect(Object.getPrototypeOf(answer.body)).toBe(Object.prototype);
    expect(answer.body.polluted).toBeUndefined();
    expect(Object.hasOwn(answer.body.accountInfo, "__proto__")).toBe(false);
    expect((await world().call("GET", `${path}/${answer.body.id}`)).body).toEqual(answer.body);
  });
});

test("brackets inside text do not count as nesting", async () => {
  const fullName = "[".repeat(200);
  const { status } = await world().call("POST", "/customers", {
    customerType: "INDIVIDUAL",
    fullName,
  });
  expect(status).toBe(201);
});

test("a long text is answered, nearly a mebibyte too, and refused where too long", async () => {
  const ids = await populated(world());
  const met = new Set<Operation>();
  const texts = MEMBERS.filter(
    ({ operation, at }) => typeof valueAt(bodyOf(operation, ids), at) === "string",
  );
  expect(texts.length).toBeGreaterThan(30);
  for (const { operation, at, member } of texts) {
    // All of that size has the same way through an operation, whatever its member.
    const long = "a".repeat(met.has(operation) ? 20_000 : 1_000_000);
    met.add(operation);
    const answer = await send(operation, ids, withMember(bodyOf(operation, ids), at, long));
    if (!UNBOUNDED.includes(member)) expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
  }
});

import { describe, expect, test } from "vitest";
import { openApiDocument } from "../../src/api/openapi.ts";
import { AGENT_PERMISSIONS } from "../../src/contract/agents/agents.ts";
import { OPERATION_AUTHS } from "../../src/contract/operation-row.ts";
import { OPERATIONS, type OperationRow } from "../../src/contract/operations.ts";
import { PERMISSIONS } from "../../src/contract/platform/tokens.ts";
import { wholePart } from "../../src/http/openapi/references.ts";

interface Documented {
  operationId: string;
  "x-permission": string;
  security: Record<string, unknown>[];
  parameters?: { name: string; in: string }[];
}

const document = openApiDocument("test") as unknown as {
  paths: Record<string, Record<string, Documented>>;
};

const DOCUMENTED = new Map<string, Documented>(
  Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
    ),
  ),
);

const nameOf = ({ method, path }: OperationRow) => `${method} ${path}`;
const NAMES = OPERATIONS.map(nameOf);
const SERVED = OPERATIONS.filter((row) => DOCUMENTED.has(nameOf(row)));

/** The authentication of an operation in the OpenAPI document. */
const authOf = ({ security, parameters: shared = [] }: Documented) => {
  const parameters = shared.map((one) => wholePart(one, document));
  const [scheme] = security.flatMap((one) => Object.keys(one));
  if (scheme === undefined) return "none";
  if (scheme === "agent") return "T";
  const headers = parameters.filter((one) => one.in === "header").map(({ name }) => name);
  const isSigned = headers.includes("Service-Wallet-Signature") && headers.includes("Request-Id");
  return isSigned ? "BS" : "B";
};

describe("the table of operations", () => {
  test("has each operation once", () => {
    expect(new Set(NAMES).size).toBe(NAMES.length);
    expect(NAMES, "count an operation that was added or dropped here").toHaveLength(103);
  });

  test("has every operation that the OpenAPI document has", () => {
    const missing = [...DOCUMENTED.keys()].filter((name) => !NAMES.includes(name));
    expect(missing, "add a row to src/contract/operations.ts").toEqual([]);
  });

  test("has nothing beyond that", () => {
    const unserved = NAMES.filter((name) => !DOCUMENTED.has(name));
    expect(unserved, "add its endpoint in src/api, and a new file to src/api/endpoints.ts").toEqual(
      [],
    );
  });

  test("says who calls an operation as the document says it, and agents' permissions", () => {
    const said = SERVED.map((row) => {
      const documented = DOCUMENTED.get(nameOf(row)) as Documented;
      const { operationId, "x-permission": permission } = documented;
      return { operationId, auth: authOf(documented), permission };
    });
    const wanted = SERVED.map(({ operationId, auth, permission }) => ({
      operationId,
      auth,
      permission,
    }));
    expect(said).toEqual(wanted);
  });

  test("asks agents for what policies grant, everyone else for what tokens grant", () => {
    const granted: Record<string, readonly string[]> = {
      B: PERMISSIONS,
      BS: PERMISSIONS,
      T: [...AGENT_PERMISSIONS, "any"],
      none: ["none"],
    };
    expect(Object.keys(granted)).toEqual([...OPERATION_AUTHS]);
    for (const { auth, permission } of OPERATIONS) expect(granted[auth]).toContain(permission);
  });
});

/** Operations that move money (spec/tokens.md#platform-operations). */
const MOVES_MONEY =
  /^(\/quotes(\/|$)|\/transfer-(in|out)$|.*\/(approve|reject)$|\/sandbox\/(send|uma\/receive|internal-accounts|cards)(\/|$))/;

test("each operation takes the decided permission", () => {
  const others = OPERATIONS.filter(({ auth, method, path, permission }) => {
    const isRead = method === "GET" || path === "/crypto/estimate-withdrawal-fee";
    const needed = isRead ? "VIEW" : MOVES_MONEY.test(path) ? "TRANSACT" : "MANAGE";
    return auth.startsWith("B") && permission !== needed;
  });
  expect(others).toEqual([]);
});

/** The signed operations (spec/signed-retry.md#signed-operations). */
test("the signed operations are the nine of the contract", () => {
  const signed = OPERATIONS.filter(({ auth }) => auth === "BS").map(nameOf);
  expect(signed.sort()).toEqual([
    "DELETE /auth/credentials/{id}",
    "DELETE /auth/sessions/{id}",
    "PATCH /cards/{cardId}",
    "PATCH /customers/{customerId}",
    "PATCH /internal-accounts/{accountId}",
    "POST /auth/credentials",
    "POST /auth/sessions/{id}/refresh",
    "POST /internal-accounts/{accountId}/export",
    "POST /quotes/{quoteId}/execute",
  ]);
});

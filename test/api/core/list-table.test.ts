import { expect, test } from "vitest";
import { OPERATIONS } from "../setup/every-operation.ts";

const PAGE = ["limit", "cursor"];
const CREATED_AND_UPDATED = ["createdAfter", "createdBefore", "updatedAfter", "updatedBefore"];
const PARTIES = ["accountIdentifier", "senderAccountIdentifier", "receiverAccountIdentifier"];
const OF_TRANSACTIONS = [...PARTIES, "status", "type", "reference", "startDate", "endDate"];

/** Query parameters of every list (spec/lists.md#list-table). */
const LISTS: Record<string, readonly string[]> = {
  "/agents": ["customerId", "isPaused", "isConnected", ...CREATED_AND_UPDATED, ...PAGE],
  "/agents/approvals": ["agentId", "customerId", "startDate", "endDate", "sortOrder", ...PAGE],
  "/agents/me/actions": ["status", ...PAGE],
  "/agents/me/transactions": [...OF_TRANSACTIONS, "sortOrder", ...PAGE],
  "/agents/me/internal-accounts": ["currency", "type", ...PAGE],
  "/agents/me/external-accounts": ["currency", ...PAGE],
  "/customers": [
    "platformCustomerId",
    "customerType",
    ...CREATED_AND_UPDATED,
    "region",
    "currency",
    "umaAddress",
    "isIncludingDeleted",
    ...PAGE,
  ],
  "/customers/internal-accounts": ["currency", "customerId", "type", ...PAGE],
  "/customers/external-accounts": ["currency", "customerId", ...PAGE],
  "/platform/external-accounts": ["currency", ...PAGE],
  "/platform/internal-accounts": ["currency", "type"],
  "/beneficial-owners": ["customerId", ...PAGE],
  "/documents": ["documentHolder", ...PAGE],
  "/verifications": ["customerId", "verificationStatus", ...PAGE],
  "/transactions": ["customerId", "platformCustomerId", ...OF_TRANSACTIONS, "sortOrder", ...PAGE],
  "/cards": ["cardholderId", "accountId", "platformCardId", "state", "sortOrder", ...PAGE],
  "/tokens": ["name", ...CREATED_AND_UPDATED, ...PAGE],
  "/uma-providers": ["countryCode", "currencyCode", "hasBlockedProviders", "sortOrder", ...PAGE],
  "/auth/credentials": ["accountId"],
  "/auth/sessions": ["accountId"],
  "/exchange-rates": ["sourceCurrency", "destinationCurrency", "sendingAmount"],
  "/discoveries": ["country", "currency"],
};

const gets = OPERATIONS.filter(({ method }) => method === "GET");

test.each(Object.entries(LISTS))("GET %s takes its filters and nothing else", (path, names) => {
  const list = gets.find((operation) => operation.path === path);
  expect([...(list?.query ?? [])].sort()).toEqual([...names].sort());
});

test("every operation with a cursor is in the table", () => {
  const paged = gets.filter(({ query }) => query.includes("cursor")).map(({ path }) => path);
  expect(Object.keys(LISTS)).toEqual(expect.arrayContaining(paged));
});

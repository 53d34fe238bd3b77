import { generateKeyPairSync } from "node:crypto";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { TestSimulator } from "../../setup/test-simulator.ts";
import { reopen } from "../setup/reopen.ts";
import { StateDirectory } from "../setup/state-directory.ts";

/** A world of format version 1 at 2026-01-05T09:00:00Z, with five payments in progress. */
const JOURNAL = fileURLToPath(new URL("../setup/format-1.journal", import.meta.url));

/** Identity in the form of that version: no issuer and no checksum. */
const IDENTITY = {
  clientId: "sandbox",
  clientSecret: "sk_sim_old",
  webhookKeyPem: generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({
    type: "pkcs8",
    format: "pem",
  }),
  seed: "1",
};

const ACCOUNT = "InternalAccount:019b8d62-7a80-7000-8000-260efdcda146";
const USDC = "InternalAccount:019b8d62-7a80-7000-8000-2afc9b691bf4";
const QUOTES = {
  slow: "Quote:019b8d62-7a80-7000-8000-42e56f682cfb",
  returned: "Quote:019b8d62-7a80-7000-8000-5b07480a4db5",
  internal: "Quote:019b8d62-7a80-7000-8000-77141644c425",
  refunded: "Quote:019b8d62-7a80-7000-8000-947e46fe6ee6",
  pending: "Quote:019b8d62-7a80-7000-8000-bc869d74ee16",
};

let directory: StateDirectory;
let world: TestSimulator;

beforeEach(async () => {
  directory = new StateDirectory();
  mkdirSync(directory.journal);
  copyFileSync(JOURNAL, directory.segment("1-1"));
  writeFileSync(directory.file("identity.json"), JSON.stringify(IDENTITY));
  world = await reopen(directory);
});

afterEach(async () => {
  await world.sim.close();
  directory.remove();
  expect(world.alarms).toEqual([]);
});

const statuses = async () => {
  const found: Record<string, string> = {};
  for (const [name, id] of Object.entries(QUOTES)) {
    const { body: quote } = await world.call("GET", `/quotes/${id}`);
    const { body: payment } = await world.call("GET", `/transactions/${quote.transactionId}`);
    found[name] = [quote.status, payment.status, payment.refund?.status ?? "-"].join(" ");
  }
  return found;
};

const balance = async (account: string) => {
  const { body } = await world.call("GET", "/customers/internal-accounts?limit=100");
  return body.data.find(({ id }: { id: string }) => id === account).balance.amount;
};

test("a journal of format 1 is read, and its payments continue where they were", async () => {
  expect(await statuses()).toEqual({
    slow: "PROCESSING PROCESSING -",
    returned: "COMPLETED COMPLETED -",
    internal: "COMPLETED COMPLETED -",
    refunded: "FAILED FAILED PENDING",
    pending: "PENDING PENDING -",
  });
  expect(await balance(ACCOUNT)).toBe(900_000);
  await world.sim.advance("7m");
  expect(await statuses()).toEqual({
    slow: "COMPLETED COMPLETED -",
    returned: "FAILED FAILED COMPLETED",
    internal: "COMPLETED COMPLETED -",
    refunded: "FAILED FAILED COMPLETED",
    pending: "EXPIRED EXPIRED -",
  });
  // 25000 out four times, and back for the failed and the returned payment.
  expect(await balance(ACCOUNT)).toBe(950_000);
  expect(await balance(USDC)).toBe(249_140_000);
  const { body: ledger } = await world.control("GET", "/ledger");
  expect(new Set(Object.values(ledger.totals))).toEqual(new Set([0]));
});

test("lists find what format 1 wrote, by account as well", async () => {
  const { body } = await world.call("GET", `/transactions?senderAccountIdentifier=${ACCOUNT}`);
  expect(body.totalCount).toBe(5);
  const { body: paid } = await world.call("GET", `/transactions?receiverAccountIdentifier=${USDC}`);
  expect(paid.data).toMatchObject([
    {
      source: { sourceType: "ACCOUNT", accountId: ACCOUNT, currency: "USD" },
      destination: { destinationType: "ACCOUNT", accountId: USDC, currency: "USDC" },
    },
  ]);
});

test("what it wrote since is read with it again", async () => {
  const { body: executed } = await world.call("POST", `/quotes/${QUOTES.pending}/execute`);
  expect(executed.status).toBe("PROCESSING");
  await world.sim.close();
  world = await reopen(directory);
  expect(await statuses()).toMatchObject({ pending: "COMPLETED COMPLETED -", slow: /PROCESSING/ });
});

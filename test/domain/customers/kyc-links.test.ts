import { beforeEach, expect, test } from "vitest";
import { createCustomer } from "../../../src/domain/customers/customers.ts";
import { createKycLink } from "../../../src/domain/customers/kyc-links.ts";
import { RuleWorld, START_MS } from "../setup/rule-world.ts";

const LIFETIME_MS = 86_400_000;

let world: RuleWorld;
let customerId: string;

beforeEach(() => {
  world = new RuleWorld();
  customerId = world.run(createCustomer, { body: { customerType: "INDIVIDUAL" } }).id;
});

const makeLink = () =>
  world.run(createKycLink, {
    params: { customerId },
    body: undefined,
    origin: "https://sim.example",
  });

const kept = () => [...world.state.ids("KycLink", "all", "")];

test("a link expires after a day, and is below the caller's origin", () => {
  const { kycUrl, expiresAt } = makeLink();
  expect(kycUrl).toMatch(/^https:\/\/sim\.example\/kyc\/[0-9a-f]{32}$/);
  expect(expiresAt).toBe("2026-01-06T09:00:00.000Z");
});

test("a link is kept until a new one is made past its expiry", () => {
  makeLink();
  const [first] = kept();
  world.atMs = START_MS + LIFETIME_MS - 1;
  makeLink();
  expect(kept()).toHaveLength(2);
  world.atMs = START_MS + LIFETIME_MS;
  makeLink();
  expect(kept()).toHaveLength(2);
  expect(kept()).not.toContain(first);
});

test("expired links are removed eight at a time, oldest first", () => {
  for (let n = 0; n < 20; n += 1) makeLink();
  const old = kept();
  world.atMs = START_MS + LIFETIME_MS;
  for (const [at, left] of [12, 4, 0].entries()) {
    makeLink();
    expect(kept()).toHaveLength(left + at + 1);
    expect(kept().slice(0, left)).toEqual(old.slice(20 - left));
  }
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Revision } from "../../src/contract/core/revision-names.ts";
import { coverageItems } from "../../src/coverage/coverage-items.ts";
import { exerciseSteps, itemText } from "../../src/coverage/exercises.ts";
import { sendInProcess } from "../../src/scripts/in-process-send.ts";
import { jsonCall } from "../../src/scripts/script-call.ts";
import { createSimulator, type Simulator, type SimulatorOptions } from "../../src/simulator.ts";
import { isCampaign } from "../setup/campaign.ts";
import { follow } from "./setup/exercised.ts";

const currency = (currencyCode: string, more: object = {}) => ({
  currencyCode,
  minAmount: 1,
  maxAmount: 100_000_000,
  ...more,
});

const supports = (...supportedCurrencies: object[]) =>
  ({ patch: "/config", body: { supportedCurrencies } }) as const;

const asked = [{ name: "TAX_ID", mandatory: true }];

const asksBirthDate = [{ currencyCode: "USD", providerRequiredCustomerFields: ["BIRTH_DATE"] }];

const MAGIC_PROOFS = [
  "outcomes.walletProof.000000",
  "outcomes.walletProof.sandbox-valid-oidc-token",
  "outcomes.walletProof.sandbox-valid-passkey-signature",
  "outcomes.walletProof.sandbox-valid-signature",
];

interface Setting {
  says: string;
  options?: SimulatorOptions;
  /** A change of the platform's configuration after the start. */
  change?: { patch: "/config" | "/_sim/config"; body: object };
  /** Items that the report must list as out of reach. */
  outOfReach?: readonly string[];
}

/** Settings that an exercise could stumble over, each apart from a new platform. */
const SETTINGS: readonly Setting[] = [
  { says: "--crypto strict", options: { crypto: "strict" }, outOfReach: MAGIC_PROOFS },
  {
    says: "--crypto magic-only",
    options: { crypto: "magic-only" },
    outOfReach: ["outcomes.walletProof.otherwise"],
  },
  { says: "world payouts-demo", options: { fixture: "payouts-demo" } },
  { says: "world empty", options: { fixture: "empty" } },
  { says: "world agent-demo", options: { fixture: "agent-demo" } },
  { says: "world wallet-demo", options: { fixture: "wallet-demo" } },
  { says: "world cards-demo", options: { fixture: "cards-demo" } },
  { says: "--approvals approve", options: { approvals: "approve" } },
  { says: "--approvals reject", options: { approvals: "reject" } },
  {
    says: "--codes random",
    options: { codes: "random" },
    outOfReach: ["outcomes.walletProof.000000"],
  },
  { says: "--codes 12345678", options: { codes: "12345678" } },
  {
    says: "--codes 000000",
    options: { codes: "000000" },
    outOfReach: ["outcomes.walletProof.000000"],
  },
  {
    says: "--revision 2026-08",
    options: { revision: "2026-08" },
    outOfReach: [
      "errors.UNAVAILABLE",
      "outcomes.walletProof.sandbox-valid-oidc-token",
      "timers.incoming.refund",
    ],
  },
  { says: "--card-events upper", options: { cardEvents: "upper" } },
  { says: "--webhook-signature json", options: { webhookSignature: "json" } },
  { says: "--wallet-credential email", options: { walletCredential: "email" } },
  { says: "--sandbox-uma-domain", options: { sandboxUmaDomains: ["uma.shop.example"] } },
  { says: "--rate-limit 1/m", options: { rateLimit: "1/m" } },
  { says: "--clock real", options: { clock: "real" } },
  { says: "--clock auto", options: { clock: "auto" } },
  { says: "pesos only", change: supports(currency("MXN")) },
  { says: "euros only", change: supports(currency("EUR")) },
  { says: "small amounts", change: supports(currency("USD", { maxAmount: 9_000 })) },
  {
    says: "one direction",
    change: supports(currency("USD", { enabledTransactionTypes: ["OUTGOING"] })),
  },
  {
    says: "counterparty fields",
    change: supports(currency("USD", { requiredCounterpartyFields: asked })),
  },
  {
    says: "provider fields",
    change: { patch: "/_sim/config", body: { supportedCurrencies: asksBirthDate } },
  },
  {
    says: "a regulated platform",
    change: { patch: "/_sim/config", body: { isRegulatedFinancialInstitution: true } },
  },
  { says: "no UMA domain", change: { patch: "/config", body: { umaDomain: null } } },
  {
    says: "other codes",
    change: { patch: "/config", body: { embeddedWalletConfig: { otpLength: 8 } } },
  },
];

const allItems = (revision?: Revision) =>
  coverageItems(revision).flatMap(({ group, items }) =>
    items.map((name) => ({ group, name, steps: JSON.stringify(exerciseSteps({ group, name })) })),
  );

/** Exercises that depend on the owner of a wallet, or on an agent's action. */
const isDelicate = ({ steps }: ReturnType<typeof allItems>[number]) =>
  /\$\{owner\.|passkey|agentApproval/i.test(steps);

/** One of 60 exercises of each setting in the usual run, others of the next setting. */
const USUAL_STRIDE = 60;

/** The exercises of a setting: in a campaign all; the delicate ones come round sooner. */
const itemsOf = (setting: number, revision?: Revision) => {
  const items = allItems(revision);
  if (isCampaign) return items;
  const delicate = items.filter(isDelicate).filter((_, at) => (at + setting) % 20 === 0);
  const others = items.filter((_, at) => (at + setting) % USUAL_STRIDE === 0);
  return [...new Set([...delicate, ...others])];
};

const reportOf = async (sim: Simulator, of: string) => {
  const { groups } = await sim.coverage();
  const { missing = [], outOfReach = [] } = groups.find(({ name }) => name === of) ?? {};
  return { missing, outOfReach };
};

const configOf = async (sim: Simulator) => {
  const { updatedAt: _, ...config } = (await sim.call.getConfig()) as Record<string, unknown>;
  const { rateLimit, approvals } = (await sim.status()).settings;
  return { config, rateLimit, approvals };
};

// spec/coverage.md#settings
describe.each(SETTINGS.map((setting, at) => ({ ...setting, at })))(
  "with $says",
  ({ options, change, outOfReach = [], at }) => {
    let sim: Simulator;

    beforeAll(async () => {
      sim = await createSimulator({
        seed: "settings",
        clock: "manual",
        now: "2026-01-05T09:00:00.000Z",
        webhookTimeoutMs: 200,
        ...options,
      });
      if (change) {
        const { patch: path, body } = change;
        const answer = await sendInProcess(sim)(jsonCall("PATCH", path, body));
        expect(answer).toMatchObject({ status: 200 });
      }
    });

    afterAll(() => sim.close());

    // spec/coverage.md#out-of-reach
    test("the report says what is out of reach, and leaves it out of the total", async () => {
      const { groups } = await sim.coverage();
      const found = groups.flatMap(({ name: group, outOfReach: items }) =>
        items.map(({ name }) => `${group}.${name}`),
      );
      expect(found).toEqual(outOfReach);
      const counted = groups.reduce((sum, { total }) => sum + total, 0);
      expect(counted).toBe(allItems(options?.revision).length - outOfReach.length);
    });

    test.each(itemsOf(at, options?.revision))(
      "$group $name is met by its line, or out of reach",
      async (item) => {
        const fork = await sim.fork();
        const before = await reportOf(fork, item.group);
        const missing = before.missing.find(({ name }) => name === item.name);
        const isOutOfReach = outOfReach.includes(itemText(item));
        expect(missing === undefined).toBe(isOutOfReach);
        if (missing) {
          const config = options?.rateLimit === undefined ? await configOf(fork) : undefined;
          await follow(missing.exercise, fork);
          const after = await reportOf(fork, item.group);
          expect(after.missing.map(({ name }) => name)).not.toContain(item.name);
          if (config) expect(await configOf(fork)).toEqual(config);
        }
        await fork.close();
      },
    );
  },
);

import { afterEach, describe, expect, test } from "vitest";
import { createSimulator, type LocalSimulator } from "../../src/simulator.ts";
import { StateDirectory } from "../storage/setup/state-directory.ts";

const PERSON = { beneficiaryType: "INDIVIDUAL", fullName: "Lin Mei" };
const PARIS = { line1: "Rue 1", city: "Paris", postalCode: "75001", country: "FR" };
const EGYPTIAN = "EG380019000500000000263180002";

const directory = new StateDirectory();

const caller = (sim: LocalSimulator) => async (method: string, path: string, body?: object) => {
  const answer = await sim.fetch(
    new Request(`${sim.apiUrl}${path}`, {
      method,
      headers: {
        authorization: `Basic ${btoa(`${sim.clientId}:${sim.clientSecret}`)}`,
        "content-type": "application/json",
      },
      ...(body && { body: JSON.stringify(body) }),
    }),
  );
  return { status: answer.status, body: await answer.json() };
};

const inWorld = async <Made>(
  revision: "2025-10" | "2026-08",
  use: (call: ReturnType<typeof caller>, sim: LocalSimulator) => Promise<Made>,
): Promise<Made> => {
  const sim = await createSimulator({
    ...{ seed: "7", clock: "manual", storage: directory.url, revision },
  });
  try {
    return await use(caller(sim), sim);
  } finally {
    await sim.close();
  }
};

const account = (accountType: string, info: object) => ({
  currency: accountType.slice(0, 3),
  accountInfo: { accountType, beneficiary: PERSON, ...info },
});

const FIRST = {
  french: account("EUR_ACCOUNT", {
    iban: "DE89370400440532013000",
    beneficiary: { ...PERSON, address: PARIS },
  }),
  ghanaian: account("GHS_ACCOUNT", { accountNumber: "10020030040" }),
  colombian: account("COP_ACCOUNT", { phoneNumber: "+573001234567" }),
  egyptian: account("EGP_ACCOUNT", {
    bankName: "NILE_DELTA_BANK",
    accountNumber: "100200300",
    beneficiary: {
      ...PERSON,
      address: { ...PARIS, country: "EG" },
      countryOfResidence: "EG",
      phoneNumber: "+201012345678",
    },
  }),
} as const;

const SECOND = {
  singaporean: account("SGD_ACCOUNT", { accountNumber: "0123456789", swiftCode: "OCBCSGSGXXX" }),
  elsewhere: account("SGD_ACCOUNT", { accountNumber: "0123456788", swiftCode: "CITISGSG" }),
  chinese: account("CNY_ACCOUNT", { bankName: "AliPay", phoneNumber: "+8613800138000" }),
  cairene: account("EGP_ACCOUNT", { bankName: "NILE_DELTA_BANK", iban: EGYPTIAN }),
  indian: account("INR_ACCOUNT", { accountNumber: "123456789", ifsc: "HDFC0ABCDEF", rail: "NEFT" }),
} as const;

type Shown = Record<string, { id: string; status: string; accountInfo: Record<string, unknown> }>;

const made = async (call: ReturnType<typeof caller>, bodies: Record<string, object>) => {
  const accounts: Shown = {};
  for (const [name, body] of Object.entries(bodies)) {
    const answer = await call("POST", "/platform/external-accounts", body);
    expect([name, answer.status]).toEqual([name, 201]);
    accounts[name] = answer.body;
  }
  return accounts;
};

const read = async (call: ReturnType<typeof caller>, accounts: Shown) => {
  const again: Shown = {};
  for (const [name, { id }] of Object.entries(accounts))
    again[name] = (await call("GET", `/platform/external-accounts/${id}`)).body;
  return again;
};

afterEach(() => directory.remove());

// spec/later-accounts.md#accounts-of-earlier-revisions
describe("accounts of a world that changes its revision", () => {
  test("are whole in each, and the same again after the way back", async () => {
    const first = await inWorld("2025-10", (call) => made(call, FIRST));
    const { shown, second } = await inWorld("2026-08", async (call) => ({
      shown: await read(call, first),
      second: await made(call, SECOND),
    }));
    expect(shown.french?.accountInfo.beneficiary).toMatchObject({ countryOfResidence: "FR" });
    expect(shown.ghanaian?.accountInfo.bankName).toBe("Unknown bank");
    expect(shown.ghanaian?.accountInfo.paymentRails).toEqual(["BANK_TRANSFER"]);
    expect(shown.colombian?.accountInfo).toMatchObject({
      bankName: "Unknown bank",
      paymentRails: ["MOBILE_MONEY"],
    });
    const { egyptian } = shown;
    expect(egyptian?.accountInfo).not.toHaveProperty("accountNumber");
    expect(egyptian?.accountInfo.paymentRails).toEqual(["BANK_TRANSFER"]);
    expect(second.singaporean?.accountInfo.bankName).toBe("OCBC Bank");
    expect(second.elsewhere?.accountInfo).not.toHaveProperty("bankName");

    const back = await inWorld("2025-10", async (call) => {
      expect(await read(call, first)).toEqual(first);
      return read(call, second);
    });
    expect(back.elsewhere?.accountInfo.bankName).toBe("Unknown bank");
    expect(back.chinese?.accountInfo).toEqual(second.chinese?.accountInfo);
    expect(back.cairene?.accountInfo.iban).toBe(EGYPTIAN);
    expect(back.indian?.status).toBe("ACTIVE");

    await inWorld("2026-08", async (call) => {
      expect(await read(call, second)).toEqual(second);
      expect(await read(call, first)).toEqual(shown);
    });
  });

  test("keep statuses and instructions that the first revision does not have", async () => {
    const sent = {
      currency: "USDC",
      ownershipType: "FIRST_PARTY",
      accountInfo: { accountType: "BASE_WALLET", address: `0x${"7d".repeat(20)}` },
    };
    const paths = await inWorld("2026-08", async (call, sim) => {
      const control = (path: string, body: object) =>
        sim.fetch(
          new Request(`${sim.controlUrl}${path}`, {
            method: "PATCH",
            headers: { "content-type": "application/json" },
            body: JSON.stringify(body),
          }),
        );
      const { body: wallet } = await call("POST", "/platform/external-accounts", sent);
      const { body: inside } = await call("GET", "/platform/internal-accounts?currency=USD");
      const { id } = inside.data[0];
      const changes = [
        await control(`/external-accounts/${wallet.id}`, { status: "UNVERIFIED" }),
        await control(`/internal-accounts/${id}`, {
          status: "FAILED",
          fundingPaymentInstructions: [],
        }),
      ];
      expect(changes.map(({ status }) => status)).toEqual([200, 200]);
      return [
        `/platform/external-accounts/${wallet.id}`,
        "/platform/internal-accounts?currency=USD",
      ];
    });
    const seen = (revision: "2025-10" | "2026-08") =>
      inWorld(revision, async (call) => {
        const [wallet, inside] = await Promise.all(paths.map((path) => call("GET", path)));
        const [own] = inside?.body.data ?? [];
        return {
          wallet: [wallet?.body.status, wallet?.body.ownershipType],
          inside: [own.status, own.fundingPaymentInstructions.length],
        };
      });
    expect(await seen("2025-10")).toEqual({
      wallet: ["INACTIVE", undefined],
      inside: ["CLOSED", 2],
    });
    expect(await seen("2026-08")).toEqual({
      wallet: ["UNVERIFIED", "FIRST_PARTY"],
      inside: ["FAILED", 0],
    });
  });
});

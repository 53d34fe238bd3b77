import type { Answer, TestSimulator } from "../../../setup/test-simulator.ts";

/** A reference to the reply of an earlier step. */
export const the = (member: string) => `\${${member}}`;

/** A fixture with the given steps. */
export const fixtureOf = (...steps: object[]) => ({ name: "f", steps });

/** A step that calls the platform or an operator's hook. */
export const request = <More extends object>(method: string, path: string, more?: More) => ({
  request: { method, path, ...(more as More) },
});

export const named = <Step extends object>(name: string, step: Step) => ({ name, ...step });

export const seed = ({ control }: TestSimulator, fixture: unknown): Promise<Answer> =>
  control("POST", "/seed", { fixture });

/** A payer with money, and a payee with an ending; `ada`, `usd` and `payee` name them. */
export const PAYING = (suffix: string) => [
  named("ada", request("POST", "/customers", { body: { customerType: "INDIVIDUAL" } })),
  named(
    "usd",
    request("GET", `/customers/internal-accounts?customerId=${the("ada.id")}&currency=USD`),
  ),
  request("POST", `/sandbox/internal-accounts/${the("usd.data.0.id")}/fund`, {
    body: { amount: 100_000 },
  }),
  named(
    "payee",
    request("POST", "/customers/external-accounts", {
      body: {
        customerId: the("ada.id"),
        currency: "MXN",
        accountInfo: {
          accountType: "MXN_ACCOUNT",
          clabeNumber: `646180110400000${suffix}`,
          beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ana Flores" },
        },
      },
    }),
  ),
];

export const QUOTE = named(
  "quote",
  request("POST", "/quotes", {
    body: {
      source: { sourceType: "ACCOUNT", accountId: the("usd.data.0.id") },
      destination: { destinationType: "ACCOUNT", accountId: the("payee.id") },
      lockedCurrencySide: "SENDING",
      lockedCurrencyAmount: 25_000,
    },
  }),
);

export const EXECUTE = request("POST", `/quotes/${the("quote.id")}/execute`);

/** State that a refused fixture must leave unchanged. */
export const worldAsItIs = async ({ call, control, sim }: TestSimulator) => {
  const { now, storage, timers, webhooks, clock, fixture } = sim.status();
  return {
    status: { now, records: storage.records, timers, webhooks, mode: clock.mode, fixture },
    ledger: (await control("GET", "/ledger")).body,
    rates: (await control("GET", "/rates")).body,
    deliveries: (await control("GET", "/webhooks")).body,
    config: (await call("GET", "/config")).body,
    customers: (await call("GET", "/customers")).body,
    transactions: (await call("GET", "/transactions")).body,
  };
};

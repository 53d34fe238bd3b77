import { createBank } from "../../setup/banks.ts";
import { createPayee, createPayer, type Payer } from "../../setup/platform.ts";
import type { TestSimulator } from "../../setup/test-simulator.ts";
import { ACCOUNT_CASES, creationBody } from "./account-bodies.ts";

/** An id of no record, for every field that takes an id. */
export const NOBODY = "Customer:00000000-0000-7000-8000-000000000000";

/** The seven types that cannot be pulled from (spec/transfers.md#pullable-sources). */
export const WALLETS = ACCOUNT_CASES.filter(({ isWallet }) => isWallet);

/** Accounts of a customer, of another customer, and of the platform. */
export interface Parties {
  /** A customer whose USD account holds 1000000 cents. */
  payer: Payer;
  /** Its external USD account. */
  bank: string;
  /** Its Mexican account. */
  mexican: string;
  /** Its embedded wallet, which holds USDB. */
  wallet: string;
  /** Another customer with a USD account, and its external USD account. */
  other: Payer;
  otherBank: string;
  /** The platform's own. */
  platform: string;
  platformBank: string;
}

export const accountIn = async ({ call }: TestSimulator, currency: string, customerId?: string) => {
  const path =
    customerId === undefined
      ? `/platform/internal-accounts?currency=${currency}`
      : `/customers/internal-accounts?currency=${currency}&customerId=${customerId}`;
  return (await call("GET", path)).body.data[0].id as string;
};

/** An external wallet account of a customer. */
export const createWallet = async (world: TestSimulator, customerId: string, type: string) => {
  const found = WALLETS.find((one) => one.type === type);
  if (!found) throw new Error(`Expected a wallet but found ${type}`);
  const body = { customerId, ...creationBody(found) };
  return (await world.call("POST", "/customers/external-accounts", body)).body.id as string;
};

export const createParties = async (world: TestSimulator): Promise<Parties> => {
  const payer = await createPayer(world);
  const other = await createPayer(world);
  const platform = await accountIn(world, "USD");
  await world.call("POST", `/sandbox/internal-accounts/${platform}/fund`, { amount: 1_000_000 });
  return {
    payer,
    bank: await createBank(world, payer.customerId),
    mexican: await createPayee(world, payer.customerId, "999"),
    wallet: await accountIn(world, "USDB", payer.customerId),
    other,
    otherBank: await createBank(world, other.customerId),
    platform,
    platformBank: await createBank(world, undefined),
  };
};

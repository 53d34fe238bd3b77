import { expect } from "vitest";
import { from, justInTime, usdAccount } from "../../setup/banks.ts";
import { PAYER_INFO } from "../../setup/platform.ts";
import { allEnded } from "../../webhooks/setup/greeted.ts";
import { senderAt } from "./incoming.ts";
import {
  type Choice,
  type Destination,
  deleteCustomer,
  OWNERS,
  type Paying,
  type PaymentCommand,
  quote,
  setAccount,
  start,
} from "./payment-commands.ts";
import { type MadeLookup, type Receipt, type SequenceWorld, SUFFIXES } from "./sequence-world.ts";

/** The sandbox people (spec/lookups.md#sandbox-people). */
const PEOPLE = [
  "$success.usd",
  "$success.eur",
  "$success.mxn",
  "$pending.long.usd",
  "$fail.compliance.usd",
] as const;

/** Answers of the receiver to an approval request, approvals more often. */
const ANSWERS = [200, 200, 200, 202, 202, 403, 422, 500] as const;

/** Received amounts in the smallest unit; the first is too small. */
const RECEIVED = [99, 100, 8_800, 25_000, 1_000_000] as const;

const lookUp = async (
  world: SequenceWorld,
  choose: Choice,
  umaAddress: string,
): Promise<MadeLookup | undefined> => {
  const at = choose.one([0, 1]);
  const query = choose.one([
    "",
    `?customerId=${world.customers[at]?.customerId}`,
    `?senderUmaAddress=${encodeURIComponent(world.addresses[at] ?? "")}`,
  ]);
  const path = `/receiver/uma/${encodeURIComponent(umaAddress)}${query}`;
  const { status, body } = await world.sim.call("GET", path);
  // The address may be the sender's own, or that of a deleted customer.
  expect([200, 400, 404]).toContain(status);
  if (status !== 200) return undefined;
  const made = { id: body.lookupId, umaAddress };
  world.lookups.push(made);
  return made;
};

const anyAddress = (world: SequenceWorld, choose: Choice) =>
  choose.one([...PEOPLE.map(senderAt), ...[1, 2, 3].flatMap(() => world.addresses)]);

/** The payee of an address; the name of a sandbox person decides the end. */
const payeeAt = (choose: Choice, { id, umaAddress }: MadeLookup): Destination => {
  const person = PEOPLE.find((name) => senderAt(name) === umaAddress);
  const others = person === undefined ? ["USDC", "USDB"] : ["EUR"];
  const currency = choose.one([undefined, undefined, "USD", ...others]);
  return {
    destination: {
      destinationType: "UMA_ADDRESS",
      umaAddress,
      ...(currency !== undefined && { currency }),
    },
    lookupId: id,
    ...(choose.one([...Array<boolean>(9).fill(true), false]) && { senderCustomerInfo: PAYER_INFO }),
    ...(person !== undefined && { suffix: person }),
  };
};

const payers: Record<
  Paying["kind"],
  (world: SequenceWorld, choose: Choice, owner: number) => Paying | Promise<Paying>
> = {
  internal: (world, _choose, owner) => ({
    source: from(world.accounts[owner] ?? ""),
    owner,
    kind: "internal",
  }),
  pull: async (world, choose, owner) => {
    const { id, suffix } = await world.external(owner, "USD", choose.one(SUFFIXES));
    return { source: from(id), owner, kind: "pull", from: suffix };
  },
  justInTime: (world, _choose, owner) => ({
    source: justInTime("USD", world.customers[owner]?.customerId),
    owner,
    kind: "justInTime",
  }),
  wallet: (world, choose) => {
    const owner = choose.one([0, 1]);
    return { source: from(world.wallets[owner] ?? ""), owner, kind: "wallet" };
  },
};

const KINDS = ["internal", "pull", "justInTime", "wallet"] as const;

/** Creates a quote to an address, mostly with a new lookup, sometimes with an older one. */
const quoteTo = async (world: SequenceWorld, choose: Choice) => {
  const known = choose.one([undefined, undefined, choose.maybe(world.lookups)]);
  const lookup = known ?? (await lookUp(world, choose, anyAddress(world, choose)));
  if (!lookup) return;
  const paying = await payers[choose.one(KINDS)](world, choose, choose.one(OWNERS));
  const payee = payeeAt(choose, lookup);
  await quote(world, choose, { ...paying, payee });
};

/** The ending of the default deposit account that an approval would use now. */
const depositNow = (
  { deposits }: SequenceWorld,
  { customerId, currency }: { customerId: string; currency: string },
) => {
  const suffix = currency === "USD" ? deposits.get(customerId)?.suffix : undefined;
  return suffix === undefined ? {} : { deposit: suffix };
};

/**
 * A sandbox person pays a customer.
 * @returns the payment's id, if it was accepted
 */
const receive = async (
  world: SequenceWorld,
  choose: Choice,
  wanted: Partial<Receipt> = {},
): Promise<string | undefined> => {
  const { customerId } = { ...choose.one(world.customers), ...wanted };
  const at = world.customers.findIndex((customer) => customer.customerId === customerId);
  const paid = {
    sender: choose.one(PEOPLE),
    customerId,
    currency: choose.one(["USD", "USD", "USDC"]),
    amount: choose.one(RECEIVED),
    answer: choose.one(ANSWERS),
    ...wanted,
  };
  world.nextAnswer = paid.answer;
  const { status, body } = await world.post("/sandbox/uma/receive", {
    senderUmaAddress: senderAt(paid.sender),
    receivingCurrencyCode: paid.currency,
    receivingCurrencyAmount: paid.amount,
    ...choose.one([{ customerId }, { receiverUmaAddress: world.addresses[at] }]),
  });
  if (status !== 200) return undefined;
  expect(body).toMatchObject({ type: "INCOMING", status: "PENDING" });
  world.receipts.set(body.id, { ...paid, ...depositNow(world, paid) });
  return body.id;
};

/** Approves or rejects by a call; an accepted call decides, at most once. */
const decide = async (world: SequenceWorld, id: string | undefined, call: "approve" | "reject") => {
  if (id === undefined) return;
  const { status, body } = await world.post(`/transactions/${id}/${call}`);
  if (status !== 200) return;
  expect(body.status).toBe(call === "approve" ? "PROCESSING" : "REJECTED");
  const made = world.receipts.get(id);
  if (!made || made.call) throw new Error(`Expected ${id} to be undecided but found ${made?.call}`);
  const { deposit: _before, ...rest } = made;
  world.receipts.set(id, { ...rest, call, ...depositNow(world, made) });
};

/** A recent incoming payment, or sometimes an outgoing one, which needs no decision. */
const anyPayment = (world: SequenceWorld, choose: Choice) => {
  const waiting = [...world.receipts].filter(([, { answer, call }]) => answer === 202 && !call);
  const lately = choose.maybe(waiting.slice(-2).map(([id]) => id));
  const other = choose.maybe([...world.receipts.keys(), world.quotes.at(-1)?.transactionId]);
  return choose.one([lately, lately, lately, other]) ?? lately ?? other;
};

/** Blocks or deletes the payee between the approval of a payment and its credit. */
const receiveTooLate = async (world: SequenceWorld, choose: Choice) => {
  const wanted = { sender: "$pending.long.usd", currency: "USD", amount: 8_800, answer: 200 };
  const id = await receive(world, choose, wanted);
  const { customerId = "" } = world.receipts.get(id ?? "") ?? {};
  await allEnded(world.sim);
  const own = world.customers.find((customer) => customer.customerId === customerId);
  if (own && choose.one([true, true, false]))
    await setAccount(world, own.accountId, choose.one(["FROZEN", "CLOSED"]));
  else if (own) await deleteCustomer(world, customerId);
  await world.sim.control("POST", "/clock/advance", { by: "6m" });
};

const openDeposit = async (world: SequenceWorld, choose: Choice) => {
  const { customerId } = choose.one(world.customers);
  // 005 leaves the most behind: money that was paid out and comes back.
  const suffix = choose.one([...SUFFIXES, "005", "005", "005"]);
  const { status, body } = await world.post("/customers/external-accounts", {
    customerId,
    currency: "USD",
    defaultUmaDepositAccount: true,
    accountInfo: usdAccount(suffix, String(700_000 + world.opened)),
  });
  if (status !== 201) return;
  world.opened += 1;
  world.deposits.set(customerId, { id: body.id, suffix });
  return customerId;
};

const closeDeposit = async (world: SequenceWorld, choose: Choice) => {
  const customerId = choose.maybe([...world.deposits.keys()]);
  const known = customerId === undefined ? undefined : world.deposits.get(customerId);
  if (customerId === undefined || !known) return;
  const path = `/customers/external-accounts/${known.id}`;
  expect((await world.sim.call("DELETE", path)).status).toBe(204);
  world.deposits.delete(customerId);
};

/** Payments to and from UMA addresses, and their preconditions. */
export const UMA_COMMANDS: PaymentCommand[] = [
  {
    name: "look an address up",
    weight: 1,
    run: (world, choose) => lookUp(world, choose, anyAddress(world, choose)),
  },
  { name: "quote to an address", weight: 3, run: quoteTo },
  {
    name: "quote to an address and start it",
    weight: 5,
    run: async (world, choose) => {
      await quoteTo(world, choose);
      await start(world, world.quotes.at(-1));
    },
  },
  {
    name: "quote to an address, start it and be killed",
    weight: 0.5,
    run: async (world, choose) => {
      await quoteTo(world, choose);
      await start(world, world.quotes.at(-1));
      await world.kill();
    },
  },
  { name: "receive", weight: 6, run: receive },
  {
    name: "receive, and decide before the answer does",
    weight: 2,
    run: async (world, choose) => {
      const id = await receive(world, choose);
      await decide(world, id, choose.one(["approve", "reject"]));
    },
  },
  { name: "receive too late", weight: 1, run: receiveTooLate },
  {
    name: "receive and be killed",
    weight: 1,
    run: async (world, choose) => {
      await receive(world, choose);
      await world.kill();
    },
  },
  {
    name: "receive and restart",
    weight: 1,
    run: async (world, choose) => {
      await receive(world, choose);
      await world.restart();
    },
  },
  {
    name: "approve",
    weight: 3,
    run: (world, choose) => decide(world, anyPayment(world, choose), "approve"),
  },
  {
    name: "reject",
    weight: 1.5,
    run: (world, choose) => decide(world, anyPayment(world, choose), "reject"),
  },
  {
    name: "approve and reject at once",
    weight: 1,
    run: (world, choose) => {
      const id = anyPayment(world, choose);
      return Promise.all([decide(world, id, "approve"), decide(world, id, "reject")]);
    },
  },
  {
    name: "approve and be killed",
    weight: 1,
    run: async (world, choose) => {
      await decide(world, anyPayment(world, choose), "approve");
      await world.kill();
    },
  },
  { name: "open a default deposit account", weight: 2, run: openDeposit },
  {
    name: "receive into a new default deposit account",
    weight: 2,
    run: async (world, choose) => {
      const customerId = await openDeposit(world, choose);
      if (customerId) await receive(world, choose, { customerId, currency: "USD", answer: 200 });
    },
  },
  { name: "delete a default deposit account", weight: 0.5, run: closeDeposit },
];

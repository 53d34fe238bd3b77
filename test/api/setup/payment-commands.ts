import { expect } from "vitest";
import { from, justInTime, to, transferInput } from "../../setup/banks.ts";
import { type MadeQuote, type SequenceWorld, SUFFIXES } from "./sequence-world.ts";

/** Random choices, driven by the numbers of a run. */
export interface Choice {
  one<T>(items: readonly T[]): T;
  /** `undefined` when there is nothing to choose from. */
  maybe<T>(items: readonly T[]): T | undefined;
}

/** A command that can run in any state of a world. */
export interface PaymentCommand {
  name: string;
  /** Frequency, relative to the other commands. */
  weight: number;
  run(world: SequenceWorld, choose: Choice): Promise<unknown>;
}

const AMOUNTS = [1, 99, 100, 101, 5_000, 25_000, 60_000] as const;
/** Amounts that mostly satisfy the sandbox people. */
const UMA_AMOUNTS = [99, 5_000, 25_000, 60_000] as const;
const SPANS = ["1ms", "499ms", "1s", "4s999ms", "5s", "29s999ms", "30s", "1m", "4m59s999ms", "6m"];

/** Indexes of the customers, and of the platform. */
export const OWNERS = [0, 1, 2] as const;

const OFTEN = [true, false] as const;
const SELDOM = [true, ...Array<boolean>(9).fill(false)];

/** The payee of a quote, and the ending that decides the payment. */
export interface Destination {
  destination: object;
  /** Ending of the account, or local part of a sandbox person. */
  suffix?: string;
  lookupId?: string;
  senderCustomerInfo?: object;
}

const destination = async (
  world: SequenceWorld,
  choose: Choice,
  owner: number,
): Promise<Destination> => {
  const kind = choose.one(["mexican", "mexican", "bank", "inside"] as const);
  if (kind === "inside") return { ...to(choose.one(world.accounts)) };
  const currency = kind === "bank" ? "USD" : "MXN";
  // 006 leaves the most behind: a refund, and a delivery after it.
  const ending = choose.one([...SUFFIXES, "006"]);
  const { id, suffix } = await world.external(owner, currency, ending);
  return { ...to(id), suffix };
};

/** The source of a quote's money, and its owner. */
export interface Paying extends Pick<MadeQuote, "kind" | "from"> {
  source: object;
  owner: number;
  /** The payee, if it is not an account. */
  payee?: Destination;
}

/** Smallest units of USDB in a cent. */
const WALLET_MINOR_PER_CENT = 10_000;

/** Creates a quote, and notes the facts that decide its end. */
export const quote = async (
  world: SequenceWorld,
  choose: Choice,
  { source, owner, payee, ...made }: Paying,
) => {
  const { suffix, ...input } = payee ?? (await destination(world, choose, owner));
  const side = choose.one(["SENDING", "SENDING", "RECEIVING"]);
  const isOfWallet = made.kind === "wallet";
  const unit = isOfWallet && side === "SENDING" ? WALLET_MINOR_PER_CENT : 1;
  const { status, body } = await world.post("/quotes", {
    ...source,
    ...input,
    lockedCurrencySide: side,
    lockedCurrencyAmount: choose.one(payee ? UMA_AMOUNTS : AMOUNTS) * unit,
    immediatelyExecute: choose.one(made.kind === "justInTime" || isOfWallet ? SELDOM : OFTEN),
  });
  if (status !== 201) return;
  const { id, transactionId } = body;
  const starts = body.status === "PENDING" ? 0 : 1;
  const ending = suffix === undefined ? {} : { to: suffix };
  world.quotes.push({ id, transactionId, ...made, ...ending, starts });
};

const execute = async (world: SequenceWorld, made: MadeQuote) => {
  const { status } = await world.execute(made.id);
  if (status === 200) made.starts += 1;
};

const send = async (world: SequenceWorld, made: MadeQuote, currencyAmount: number | undefined) => {
  const { body: quoted } = await world.sim.call("GET", `/quotes/${made.id}`);
  const { status } = await world.post("/sandbox/send", {
    quoteId: made.id,
    currencyCode: "USD",
    ...(currencyAmount !== undefined && { currencyAmount }),
  });
  if (status !== 200) return;
  made.starts += 1;
  made.isMismatch = currencyAmount !== undefined && currencyAmount !== quoted.totalSendingAmount;
};

const FAILED_ENDS = { in: "FAILED NONE", out: "FAILED COMPLETED" };
const FAILING = ["002", "003", "004", "005"];

const transfer = async (world: SequenceWorld, choose: Choice, way: "in" | "out") => {
  const owner = choose.one(OWNERS);
  const inside = world.accounts[owner] ?? "";
  const { id, suffix } = await world.external(owner, "USD", choose.one(SUFFIXES));
  const amount = choose.one(way === "out" ? [...AMOUNTS, undefined] : AMOUNTS);
  const input =
    way === "in" ? transferInput(id, inside, amount) : transferInput(inside, id, amount);
  const { status, body } = await world.post(`/transfer-${way}`, input);
  const end = FAILING.includes(suffix) ? FAILED_ENDS[way] : "COMPLETED NONE";
  if (status === 201) world.ends.set(body.id, end);
};

const fund = async (world: SequenceWorld, accountId: string, amount: number) => {
  const path = `/sandbox/internal-accounts/${accountId}/fund`;
  const { status } = await world.post(path, { amount });
  if (status === 200) world.funded.set(accountId, (world.funded.get(accountId) ?? 0) + amount);
};

/** Executes a quote, or sends its money if it waits for that. */
export const start = async (world: SequenceWorld, made: MadeQuote | undefined) => {
  if (!made) return;
  if (made.kind === "justInTime") await send(world, made, undefined);
  else await execute(world, made);
};

export const setAccount = async (world: SequenceWorld, accountId: string, status: string) => {
  const path = `/internal-accounts/${accountId}`;
  const answer = await world.sim.control("PATCH", path, { status });
  expect(answer.status).toBe(200);
  if (status === "ACTIVE") world.blocked.delete(accountId);
  else world.blocked.add(accountId);
};

export const deleteCustomer = async (world: SequenceWorld, customerId: string) => {
  const { status } = await world.sim.call("DELETE", `/customers/${customerId}`);
  expect([200, 410]).toContain(status);
  world.deletedCustomers.add(customerId);
};

/**
 * The commands of payments. Further kinds of payment have lists of their own. A quote goes into
 * `world.quotes`, and the expected end of any other transaction into `world.ends`.
 */
export const PAYMENT_COMMANDS: PaymentCommand[] = [
  {
    name: "fund",
    weight: 4,
    run: (world, choose) =>
      fund(world, choose.one(world.accounts), choose.one([1, 100_000, 500_000, 500_000])),
  },
  {
    name: "quote from an account",
    weight: 5,
    run: (world, choose) => {
      const owner = choose.one(OWNERS);
      return quote(world, choose, {
        source: from(world.accounts[owner] ?? ""),
        owner,
        kind: "internal",
      });
    },
  },
  {
    name: "quote that pulls",
    weight: 4,
    run: async (world, choose) => {
      const owner = choose.one(OWNERS);
      const { id, suffix } = await world.external(owner, "USD", choose.one(SUFFIXES));
      return quote(world, choose, { source: from(id), owner, kind: "pull", from: suffix });
    },
  },
  {
    name: "quote funded just in time",
    weight: 4,
    run: (world, choose) => {
      const owner = choose.one(OWNERS);
      const source = justInTime("USD", world.customers[owner]?.customerId);
      return quote(world, choose, { source, owner, kind: "justInTime" });
    },
  },
  {
    name: "execute",
    weight: 6,
    run: async (world, choose) => {
      const made = choose.maybe(world.quotes.slice(-4)) ?? choose.maybe(world.quotes);
      if (made) await execute(world, made);
    },
  },
  {
    name: "execute twice at once",
    weight: 1,
    run: async (world, choose) => {
      const made = choose.maybe(world.quotes);
      if (made) await Promise.all([execute(world, made), execute(world, made)]);
    },
  },
  {
    name: "send",
    weight: 6,
    run: async (world, choose) => {
      const waiting = world.quotes.filter(({ kind }) => kind === "justInTime").slice(-3);
      const made = choose.maybe(waiting) ?? choose.maybe(world.quotes);
      if (made) await send(world, made, choose.one([undefined, undefined, 25_000, 25_001]));
    },
  },
  { name: "transfer in", weight: 4, run: (world, choose) => transfer(world, choose, "in") },
  { name: "transfer out", weight: 4, run: (world, choose) => transfer(world, choose, "out") },
  {
    name: "two transfers out at once",
    weight: 1,
    run: (world, choose) =>
      Promise.all([transfer(world, choose, "out"), transfer(world, choose, "out")]),
  },
  {
    name: "advance",
    weight: 7,
    run: (world, choose) => world.sim.control("POST", "/clock/advance", { by: choose.one(SPANS) }),
  },
  {
    name: "list",
    weight: 1,
    run: (world, choose) => {
      const filter = choose.one([
        "type=INCOMING",
        "type=OUTGOING",
        "status=FAILED",
        "sortOrder=asc",
      ]);
      return world.sim.call("GET", `/transactions?${filter}&limit=${choose.one([1, 3, 100])}`);
    },
  },
  { name: "restart", weight: 1, run: (world) => world.restart() },
  {
    name: "start a payment and be killed",
    weight: 1,
    run: async (world, choose) => {
      await start(world, choose.maybe(world.quotes.slice(-3)));
      await world.kill();
    },
  },
  {
    name: "transfer out and be killed",
    weight: 0.5,
    run: async (world, choose) => {
      await transfer(world, choose, "out");
      await world.kill();
    },
  },
  {
    name: "freeze",
    weight: 1,
    run: (world, choose) =>
      setAccount(world, choose.one(world.accounts), choose.one(["FROZEN", "CLOSED", "PENDING"])),
  },
  {
    name: "thaw",
    weight: 2,
    run: (world, choose) => setAccount(world, choose.one(world.accounts), "ACTIVE"),
  },
  {
    name: "look at a customer again",
    weight: 1,
    run: (world, choose) =>
      world.sim.control("PATCH", `/customers/${choose.one(world.customers).customerId}`, {
        kycStatus: choose.one(["REJECTED", "APPROVED", "APPROVED"]),
      }),
  },
  {
    name: "delete an account outside",
    weight: 1,
    run: (world, choose) => world.forget((names) => choose.maybe(names)),
  },
  {
    name: "move the rates",
    weight: 1,
    run: (world, choose) =>
      world.sim.control("PUT", "/rates", { perUsd: { MXN: choose.one(["17.25", "0.5", "20"]) } }),
  },
];

/** Deletes a customer permanently, so it is rare and comes late. */
export const DELETION: PaymentCommand = {
  name: "delete a customer",
  weight: 0.2,
  run: (world, choose) => deleteCustomer(world, choose.one(world.customers).customerId),
};

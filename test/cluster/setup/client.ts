import { transferInput, usdAccount } from "../../setup/banks.ts";
import { quoteInput } from "../../setup/platform.ts";
import type { Told } from "../checker/history.ts";
import { type Cluster, rest, type Wanted } from "./cluster.ts";

const MOST_WORLDS = 6;
const MOST_PAYERS = 5;
/** Pause between two calls of a client, wall milliseconds at most. */
const LONGEST_PAUSE_MS = 40;
/** Endings of payees' accounts: paid at once, after a while, and failed. */
const SUFFIXES = ["999", "003", "002"];
/** Minor units above which amounts are told apart. */
const LEAST_AMOUNT = 10_000;
const FUNDED = 100_000_000;

/** An account that can pay, and to whom. */
interface Payer {
  accountId: string;
  customerId: string;
  payeeId: string;
}

/** Facts that clients know of one world, to call it. */
interface Known {
  payers: Payer[];
  quotes: string[];
  transactions: string[];
}

/** One client: it makes calls of all kinds in all worlds, one after the other. */
export class ClusterClient {
  private readonly cluster: Cluster;
  private readonly known: Map<string, Known>;

  constructor(cluster: Cluster, known: Map<string, Known>) {
    this.cluster = cluster;
    this.known = known;
  }

  async run(): Promise<void> {
    const { cluster } = this;
    while (!cluster.isOver) {
      await this.step(cluster.chance.pick(cluster.worlds));
      await rest(cluster.chance.below(LONGEST_PAUSE_MS));
    }
  }

  private of(world: string): Known {
    const known = this.known.get(world) ?? { payers: [], quotes: [], transactions: [] };
    this.known.set(world, known);
    return known;
  }

  private async step(world: string) {
    const { chance, worlds } = this.cluster;
    const { payers } = this.of(world);
    const drawn = chance.below(100);
    if (payers.length === 0 || (drawn < 4 && payers.length < MOST_PAYERS))
      return this.onboard(world);
    const payer = chance.pick(payers);
    if (drawn < 10) return this.fund(world, payer);
    if (drawn < 35) return this.quote(world, payer);
    if (drawn < 50) return this.transfer(world, payer);
    if (drawn < 52 && worlds.length < MOST_WORLDS) return this.fork(world);
    if (drawn < 54) return this.snapshot(world);
    return this.read(world, payer);
  }

  /** Makes a call with a key, or without: then once. */
  private make(wanted: Wanted): Promise<Told | undefined> {
    return this.cluster.chance.oneIn(3) ? this.cluster.call(wanted) : this.cluster.keyed(wanted);
  }

  private amount() {
    return LEAST_AMOUNT + this.cluster.number();
  }

  private async onboard(world: string) {
    const { cluster } = this;
    const platformCustomerId = `c${cluster.number()}`;
    // Only payments take keys (spec/idempotency.md): everything else is sent once.
    const made = await cluster.call({
      ...{ world, method: "POST", path: "/customers", mark: `customer:${platformCustomerId}` },
      body: { customerType: "INDIVIDUAL", platformCustomerId },
    });
    if (made?.status !== 201) return;
    const customerId = made.body.id;
    const path = `/customers/internal-accounts?customerId=${customerId}&currency=USD`;
    const listed = await cluster.call({ world, method: "GET", path });
    const opened = await cluster.call({
      ...{ world, method: "POST", path: "/customers/external-accounts" },
      body: { customerId, currency: "USD", accountInfo: usdAccount(cluster.chance.pick(SUFFIXES)) },
    });
    if (listed?.status !== 200 || opened?.status !== 201) return;
    const payer = { accountId: listed.body.data[0].id, customerId, payeeId: opened.body.id };
    const funded = await this.fund(world, payer);
    if (funded?.status === 200) this.of(world).payers.push(payer);
  }

  private fund(world: string, { accountId }: Payer) {
    const amount = FUNDED + this.cluster.number();
    return this.cluster.call({
      ...{ world, method: "POST", path: `/sandbox/internal-accounts/${accountId}/fund` },
      ...{ mark: `fund:${amount}`, body: { amount } },
    });
  }

  private async quote(world: string, { accountId, payeeId }: Payer) {
    const amount = this.amount();
    const quote = await this.make({
      ...{ world, method: "POST", path: "/quotes", mark: `quote:${amount}` },
      body: quoteInput(accountId, payeeId, amount),
    });
    if (quote?.status !== 201) return;
    const { id, transactionId } = quote.body;
    const known = this.of(world);
    known.quotes.push(id);
    known.transactions.push(transactionId);
    if (this.cluster.chance.oneIn(5)) return;
    await this.make({
      ...{ world, method: "POST", path: `/quotes/${id}/execute`, mark: `execute:${id}` },
    });
  }

  private async transfer(world: string, { accountId, payeeId }: Payer) {
    const amount = this.amount();
    const made = await this.make({
      ...{ world, method: "POST", path: "/transfer-out", mark: `transfer:${amount}` },
      body: transferInput(accountId, payeeId, amount),
    });
    if (made?.status === 201) this.of(world).transactions.push(made.body.id);
  }

  private read(world: string, { customerId }: Payer) {
    const { chance } = this.cluster;
    const { quotes, transactions } = this.of(world);
    const recent = (ids: readonly string[]) => ids.at(-1 - chance.below(Math.min(8, ids.length)));
    const drawn = chance.below(3);
    const quote = recent(quotes);
    const transaction = recent(transactions);
    let path = `/customers/internal-accounts?customerId=${customerId}&currency=USD`;
    if (drawn === 0 && quote !== undefined) path = `/quotes/${quote}`;
    if (drawn === 1 && transaction !== undefined) path = `/transactions/${transaction}`;
    return this.cluster.call({ world, method: "GET", path });
  }

  /** Forks a world; one whose answer was lost is asked for again under its name. */
  private async fork(from: string) {
    const { cluster } = this;
    const name = `w${cluster.number()}`;
    cluster.origins.set(name, from);
    while (!cluster.isOver) {
      const made = await cluster.control("POST", "/worlds", { name, from: `world:${from}` });
      if (made?.status === 201 || made?.status === 409) {
        // What its origin has is there too.
        const { payers } = this.of(from);
        this.known.set(name, { payers: [...payers], quotes: [], transactions: [] });
        cluster.worlds.push(name);
        return;
      }
      await rest(LONGEST_PAUSE_MS);
    }
  }

  private async snapshot(world: string) {
    const name = this.cluster.chance.pick(["a", "b"]);
    await this.cluster.control("PUT", `/snapshots/${name}?world=${world}`);
  }
}

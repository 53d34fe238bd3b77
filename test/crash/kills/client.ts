import type { RunningCli } from "../../setup/cli.ts";
import { mxnAccount, quoteInput } from "../../setup/platform.ts";
import type { Chance } from "../../simulation/setup/chance.ts";
import type { Acknowledged } from "./acknowledged.ts";
import { type Answered, callPlatform, type Keyed } from "./keyed-calls.ts";
import { FUND_MINOR, SUFFIXES } from "./kill-campaign.ts";

/** A call that a kill may cut off; undefined then. */
export const tried = async <T>(call: Promise<T>): Promise<T | undefined> => {
  try {
    return await call;
  } catch {
    return undefined;
  }
};

/** Longest spans together that clients advance: stored answers are kept for 24 h. */
const MAX_LONG_STEPS = 100;

/** Parts that all clients of a state share. */
export interface Shared {
  acknowledged: Acknowledged;
  /** Steps of 6 minutes so far. */
  longSteps: number;
  /** Prefix of keys, and their number so far. */
  prefix: string;
  keys: number;
}

/** Mixed traffic of one client until the simulator is killed. */
export class Client {
  private readonly chance: Chance;
  private readonly shared: Shared;

  constructor(chance: Chance, shared: Shared) {
    this.chance = chance;
    this.shared = shared;
  }

  async run(cli: RunningCli, isOver: () => boolean) {
    while (!isOver()) await this.step(cli);
  }

  private async step(cli: RunningCli) {
    const draw = this.chance.below(10);
    if (draw < 2 || this.shared.acknowledged.payers.length === 0) return this.onboard(cli);
    if (draw < 5) return this.fund(cli);
    if (draw < 9) return this.pay(cli);
    return this.advance(cli);
  }

  /** Calls with a key and remembers the answer, which every repetition must get. */
  private async keyed({ ready }: RunningCli, call: Keyed): Promise<Answered | undefined> {
    this.shared.keys += 1;
    const keyed = { ...call, key: `${this.shared.prefix}-${this.shared.keys}` };
    const answer = await tried(callPlatform(ready, keyed));
    if (answer && answer.status < 300) this.shared.acknowledged.keyed.push({ call: keyed, answer });
    return answer;
  }

  private async onboard({ call }: RunningCli) {
    const { acknowledged } = this.shared;
    const made = await tried(call("POST", "/customers", { customerType: "INDIVIDUAL" }));
    if (made?.status !== 201) return;
    const { id } = made.body;
    acknowledged.paths.push(`/customers/${id}`);
    const query = `customerId=${id}&currency=USD`;
    const listed = await tried(call("GET", `/customers/internal-accounts?${query}`));
    const opened = await tried(
      call("POST", "/customers/external-accounts", {
        customerId: id,
        currency: "MXN",
        accountInfo: mxnAccount(this.chance.pick(SUFFIXES)),
      }),
    );
    if (opened?.status !== 201) return;
    acknowledged.paths.push(`/customers/external-accounts/${opened.body.id}`);
    if (listed?.status !== 200) return;
    acknowledged.payers.push({ accountId: listed.body.data[0].id, payeeId: opened.body.id });
  }

  private async fund({ call }: RunningCli) {
    const { accountId } = this.chance.pick(this.shared.acknowledged.payers);
    const path = `/sandbox/internal-accounts/${accountId}/fund`;
    const funded = await tried(call("POST", path, { amount: FUND_MINOR }));
    if (funded?.status === 200) this.shared.acknowledged.funded.push(accountId);
  }

  private async pay(cli: RunningCli) {
    const { acknowledged } = this.shared;
    const { accountId, payeeId } = this.chance.pick(acknowledged.payers);
    const body = quoteInput(accountId, payeeId, 2_000);
    const quote = await this.keyed(cli, { method: "POST", path: "/quotes", body });
    if (quote?.status !== 201) return;
    const { id, transactionId } = quote.body;
    acknowledged.paths.push(`/quotes/${id}`, `/transactions/${transactionId}`);
    const path = `/quotes/${id}/execute`;
    const executed = await this.keyed(cli, { method: "POST", path });
    if (executed?.status === 200) acknowledged.executed.push({ quoteId: id, transactionId });
  }

  private async advance({ control }: RunningCli) {
    const mayBeLong = this.shared.longSteps < MAX_LONG_STEPS;
    const by = this.chance.pick(mayBeLong ? ["1s", "10s", "6m"] : ["1s"]);
    if (by === "6m") this.shared.longSteps += 1;
    await tried(control("POST", "/clock/advance", { by, budgetMs: 500 }));
  }
}

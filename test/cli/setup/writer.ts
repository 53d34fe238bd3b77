import { isDeepStrictEqual } from "node:util";
import type { RunningCli } from "../../setup/cli.ts";
import { quoteInput } from "../../setup/platform.ts";
import type { Parsed } from "../../setup/test-simulator.ts";
import { createParties } from "./slow-payment.ts";

const FIRST_BALANCE_MINOR = 1_000_000;
const FUND_MINOR = 10_000;
const PAY_MINOR = 25_000;

/**
 * Writes as fast as it gets answers, until the simulator is gone. Remembers every acknowledged
 * value: all of them must exist when the simulator is back.
 */
export class Writer {
  /** Acknowledged values by the path that reads them; undefined when the last answer is missing. */
  private readonly records = new Map<string, Parsed | undefined>();
  private account = { query: "", id: "" };
  /** Possible balances of the account: two when the last answer is missing. */
  private balancesMinor: number[] = [];
  private readonly onAnswer: () => void;

  constructor(onAnswer: () => void) {
    this.onAnswer = onAnswer;
  }

  async write(simulator: RunningCli) {
    try {
      const { customerId, accountId, payeeId } = await createParties(simulator);
      this.account = { query: `customerId=${customerId}&currency=USD`, id: accountId };
      this.balancesMinor = [FIRST_BALANCE_MINOR];
      for (const path of [`/customers/${customerId}`, `/customers/external-accounts/${payeeId}`])
        this.records.set(path, (await simulator.call("GET", path)).body);
      for (;;) await this.pay(simulator, payeeId);
    } catch (error) {
      // The error of `fetch` when nothing answers any longer.
      if (!(error instanceof TypeError)) throw error;
    }
  }

  /** Values that differ from the acknowledged ones. */
  async missing({ call }: RunningCli): Promise<string[]> {
    const problems: string[] = [];
    for (const [path, acknowledged] of this.records) {
      const { status, body } = await call("GET", path);
      const isThere =
        status === 200 && (acknowledged === undefined || isDeepStrictEqual(body, acknowledged));
      if (!isThere) problems.push(`${path}: ${status} ${JSON.stringify(body)}`);
    }
    if (this.balancesMinor.length === 0) return problems;
    const { body } = await call("GET", `/customers/internal-accounts?${this.account.query}`);
    const found = body.data[0]?.balance.amount;
    if (!this.balancesMinor.includes(found))
      problems.push(`${this.account.id} holds ${found}, not ${this.balancesMinor.join(" or ")}`);
    return problems;
  }

  private async pay(simulator: RunningCli, payeeId: string) {
    const { id } = this.account;
    const fund = `/sandbox/internal-accounts/${id}/fund`;
    await this.move(FUND_MINOR, () => this.post(simulator, fund, { amount: FUND_MINOR }));
    const quote = await this.post(simulator, "/quotes", quoteInput(id, payeeId, PAY_MINOR));
    const path = `/quotes/${quote.id}`;
    this.records.set(path, quote);
    await this.move(-PAY_MINOR, async () => {
      this.records.set(path, undefined);
      this.records.set(path, await this.post(simulator, `${path}/execute`));
    });
  }

  private async move(amountMinor: number, ask: () => Promise<void>) {
    const [before = 0] = this.balancesMinor;
    this.balancesMinor = [before, before + amountMinor];
    await ask();
    this.balancesMinor = [before + amountMinor];
  }

  private async post({ call }: RunningCli, path: string, input?: object): Promise<Parsed> {
    const { status, body } = await call("POST", path, input);
    if (status >= 300)
      throw new Error(`Expected ${path} to be answered but found ${status} ${body.message}`);
    this.onAnswer();
    return body;
  }
}

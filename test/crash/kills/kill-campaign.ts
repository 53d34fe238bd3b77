import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { Change } from "../../../src/runtime/change.ts";
import { JournalDirectory } from "../../../src/storage/file/journal/journal-directory.ts";
import { type RunningCli, Workplace, waitUntil } from "../../setup/cli.ts";
import { mxnAccount, quoteInput } from "../../setup/platform.ts";
import { Receiver } from "../../setup/receiver.ts";
import { type Chance, chanceOf } from "../../simulation/setup/chance.ts";
import { inFirstLine } from "../../storage/setup/places.ts";

/** Result of a campaign; everything listed as missing is a defect. */
export interface CampaignReport {
  kills: number;
  acknowledged: number;
  events: number;
  attempts: number;
  /** Acknowledged records, executions and credits that a restart had lost. */
  lost: string[];
  /** Events that the receiver never accepted. */
  untold: string[];
  /** `complete` of the last advance. */
  complete: boolean;
  open: number;
}

/** Longest run of a simulator between two kills, wall milliseconds. */
const LONGEST_LIFE_MS = 250;
const CLIENTS = 3;
/** Amount of each credit. */
export const FUND_MINOR = 100_000;
/** Endings of payees, each with a fate of its own. */
export const SUFFIXES = ["999", "002", "003", "005", "006"];

interface Acknowledged {
  /** Paths that show each acknowledged record. */
  paths: string[];
  accounts: string[];
  payees: string[];
  /** Quotes whose execution was acknowledged. */
  executed: string[];
  /** Accounts, once for each acknowledged credit. */
  funded: string[];
}

type Call = RunningCli["call"];

/** A call that a kill may cut off; undefined then. */
const tryCall = async (call: Call, ...given: Parameters<Call>) => {
  try {
    return await call(...given);
  } catch {
    return undefined;
  }
};

/** Traffic of one client until the simulator is killed. */
class Client {
  private readonly chance: Chance;
  private readonly acknowledged: Acknowledged;

  constructor(chance: Chance, acknowledged: Acknowledged) {
    this.chance = chance;
    this.acknowledged = acknowledged;
  }

  async run(cli: RunningCli, isOver: () => boolean) {
    while (!isOver()) await this.step(cli);
  }

  private async step({ call, control }: RunningCli) {
    const { chance, acknowledged } = this;
    const draw = chance.below(10);
    if (draw < 2 || acknowledged.payees.length === 0) return this.onboard(call);
    if (draw < 5) return this.fund(call);
    if (draw < 9) return this.pay(call);
    const by = chance.pick(["1s", "10s", "6m"]);
    await tryCall(control, "POST", "/clock/advance", { by, budgetMs: 500 });
  }

  private async onboard(call: Call) {
    const { acknowledged, chance } = this;
    const made = await tryCall(call, "POST", "/customers", { customerType: "INDIVIDUAL" });
    if (made?.status !== 201) return;
    const { id } = made.body;
    acknowledged.paths.push(`/customers/${id}`);
    const query = `customerId=${id}&currency=USD`;
    const listed = await tryCall(call, "GET", `/customers/internal-accounts?${query}`);
    const opened = await tryCall(call, "POST", "/customers/external-accounts", {
      customerId: id,
      currency: "MXN",
      accountInfo: mxnAccount(chance.pick(SUFFIXES)),
    });
    if (listed?.status !== 200 || opened?.status !== 201) return;
    acknowledged.accounts.push(listed.body.data[0].id);
    acknowledged.payees.push(opened.body.id);
    acknowledged.paths.push(`/customers/external-accounts/${opened.body.id}`);
  }

  private async fund(call: Call) {
    const accountId = this.chance.pick(this.acknowledged.accounts);
    const path = `/sandbox/internal-accounts/${accountId}/fund`;
    const funded = await tryCall(call, "POST", path, { amount: FUND_MINOR });
    if (funded?.status === 200) this.acknowledged.funded.push(accountId);
  }

  private async pay(call: Call) {
    const { acknowledged } = this;
    const at = this.chance.below(acknowledged.payees.length);
    const from = acknowledged.accounts[at] as string;
    const input = quoteInput(from, acknowledged.payees[at] as string, 2_000);
    const quote = await tryCall(call, "POST", "/quotes", input);
    if (quote?.status !== 201) return;
    acknowledged.paths.push(`/quotes/${quote.body.id}`);
    const executed = await tryCall(call, "POST", `/quotes/${quote.body.id}/execute`);
    if (executed?.status === 200) acknowledged.executed.push(quote.body.id);
    acknowledged.paths.push(`/transactions/${quote.body.transactionId}`);
  }
}

/** Every change in the journal, in order, without an unfinished one at its end. */
export const changesIn = (directory: string): Change[] => {
  const path = inFirstLine(directory, "journal");
  if (!existsSync(path)) return [];
  const journal = new JournalDirectory(path);
  const lines = journal
    .names()
    .flatMap((name) => journal.bytesOf(name).toString("utf8").split("\n").slice(0, -1));
  return lines.map((line) => JSON.parse(line.slice(line.indexOf("{"))));
};

/** Ids of every event that had to be sent. */
export const deliverableEvents = (changes: readonly Change[]): string[] =>
  changes
    .flatMap(({ emit = [] }) => emit)
    .filter(({ deliverable }) => deliverable)
    .map(({ id }) => id);

/** Accounts with fewer sandbox credits than were acknowledged. */
export const missingCredits = (changes: readonly Change[], funded: readonly string[]): string[] => {
  const credits = changes
    .flatMap(({ post = [] }) => post)
    .filter(([, , minor]) => minor === String(FUND_MINOR))
    .map(([account]) => account);
  const count = (accounts: readonly string[], wanted: string) =>
    accounts.filter((account) => account === wanted).length;
  return [...new Set(funded)].filter((account) => count(credits, account) < count(funded, account));
};

/** A receiver that fails a third of its calls until it recovers. */
export const failingReceiver = async (chance: Chance) => {
  const receiver = await new Receiver().start();
  const accepted = new Set<string>();
  let isWell = false;
  receiver.behaviour = ({ id }, response) => {
    const fails = !isWell && chance.oneIn(3);
    if (!fails) accepted.add(id);
    response.writeHead(fails ? 503 : 200).end();
  };
  const recover = () => {
    isWell = true;
  };
  return { receiver, accepted, recover };
};

/**
 * Kills a built simulator repeatedly under mixed traffic, with a receiver that fails a third of its
 * calls. Then the receiver recovers and the clock moves past every retry.
 */
export const runKillCampaign = async ({
  kills,
  seed,
  options = "",
}: {
  kills: number;
  seed: number;
  options?: string;
}): Promise<CampaignReport> => {
  const chance = chanceOf(seed);
  const place = new Workplace();
  const { receiver, accepted, recover } = await failingReceiver(chance);
  const acknowledged: Acknowledged = {
    paths: [],
    accounts: [],
    payees: [],
    executed: [],
    funded: [],
  };
  const start = () =>
    place.start(`--storage file:state --webhook-endpoint ${receiver.url} ${options}`);
  const lost: string[] = [];
  const verify = async ({ call }: RunningCli, paths: readonly string[]) => {
    for (const path of paths) {
      const { status } = await call("GET", path);
      if (status !== 200) lost.push(`${path} is ${status}`);
    }
  };
  try {
    let checked = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      const cli = await start();
      await verify(cli, acknowledged.paths.slice(checked));
      checked = acknowledged.paths.length;
      let isOver = false;
      const clients = Array.from({ length: CLIENTS }, () =>
        new Client(chance, acknowledged).run(cli, () => isOver),
      );
      await pause(1 + chance.below(LONGEST_LIFE_MS));
      // On a busy machine no life may have been long enough for anything that a webhook tells of.
      if (kill === kills - 1)
        await waitUntil("an acknowledged credit", () => acknowledged.funded.length > 0);
      await cli.started.kill("SIGKILL");
      isOver = true;
      await Promise.all(clients);
    }
    recover();
    const cli = await start();
    await verify(cli, acknowledged.paths);
    for (const id of acknowledged.executed) {
      const { body } = await cli.call("GET", `/quotes/${id}`);
      if (body.status === "PENDING") lost.push(`the execution of ${id}`);
    }
    const { body: report } = await cli.control("POST", "/clock/advance", {
      by: "8d",
      budgetMs: 600_000,
    });
    await cli.stop();
    const changes = changesIn(place.file("state"));
    const events = deliverableEvents(changes);
    for (const account of missingCredits(changes, acknowledged.funded))
      lost.push(`a credit to ${account}`);
    const { paths, executed, funded } = acknowledged;
    return {
      kills,
      acknowledged: paths.length + executed.length + funded.length,
      events: events.length,
      attempts: receiver.received.length,
      lost,
      untold: events.filter((id) => !accepted.has(id)),
      complete: report.complete,
      open: report.open,
    };
  } finally {
    await receiver.stop();
    await place.close();
  }
};

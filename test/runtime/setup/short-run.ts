import { readFileSync } from "node:fs";
import { createPayee, createPayer, quoteInput } from "../../setup/platform.ts";
import { startTestSimulator } from "../../setup/test-simulator.ts";
import { StateDirectory } from "../../storage/setup/state-directory.ts";

const NEWLINE = 0x0a;

/** Journal of a payer, a payee and one payout that arrives after six minutes. */
export interface ShortRun {
  bytes: Buffer;
  lines: string[];
  /** Byte offset after each record, in order. */
  ends: number[];
  /** Content of its identity.json. */
  identity: string;
}

const runOf = (bytes: Buffer, identity: string): ShortRun => {
  const ends = [...bytes.entries()].filter(([, byte]) => byte === NEWLINE).map(([at]) => at + 1);
  const lines = ends.map((end, at) => bytes.toString("utf8", ends[at - 1] ?? 0, end));
  return { bytes, lines, ends, identity };
};

export const recordShortRun = async (): Promise<ShortRun> => {
  const directory = new StateDirectory();
  const world = await startTestSimulator({ storage: directory.url });
  const payer = await createPayer(world);
  const payee = await createPayee(world, payer.customerId, "003");
  const quote = await world.call("POST", "/quotes", quoteInput(payer.accountId, payee));
  await world.call("POST", `/quotes/${quote.body.id}/execute`);
  await world.sim.advance("6m");
  await world.sim.close();
  const bytes = readFileSync(directory.segment("1-1"));
  const identity = readFileSync(directory.world("identity.json"), "utf8");
  directory.remove();
  return runOf(bytes, identity);
};

/** Number of whole records in the first `length` bytes. */
export const wholeRecords = ({ ends }: ShortRun, length: number) =>
  ends.filter((end) => end <= length).length;

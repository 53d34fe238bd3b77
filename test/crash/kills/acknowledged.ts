import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { RunningCli } from "../../setup/cli.ts";
import { type Answered, callPlatform, type Keyed } from "./keyed-calls.ts";

/** A payment whose execution was acknowledged. */
interface Executed {
  quoteId: string;
  transactionId: string;
}

/** States that a payment leaves only by a timer. */
const UNDER_WAY = ["PENDING", "PROCESSING"];
const PAGE = 100;
const MAX_PAGES = 100;

/** Position in the lists up to which each was checked after an earlier restart. */
interface Checked {
  paths: number;
  keyed: number;
  executed: number;
  files: number;
}

/** Writes that a simulator acknowledged, and what a restart must show of each. */
export class Acknowledged {
  /** Paths that show a record. */
  readonly paths: string[] = [];
  /** Calls with a key, and the answer that each repetition must get. */
  readonly keyed: { call: Keyed; answer: Answered }[] = [];
  readonly executed: Executed[] = [];
  /** Accounts, once for each acknowledged credit. */
  readonly funded: string[] = [];
  /** SHA-256 of uploaded files. */
  readonly files: string[] = [];
  /** Bulk jobs and the number of rows of each. */
  readonly jobs: { jobId: string; rows: number }[] = [];
  /** First and last customer of each fixture that was sent: both are there, or none. */
  readonly fixtures: { first: string; last: string }[] = [];
  /** Accounts with a payee, for payments. */
  readonly payers: { accountId: string; payeeId: string }[] = [];
  private checked: Checked = { paths: 0, keyed: 0, executed: 0, files: 0 };

  get count() {
    const { paths, keyed, executed, funded, files, jobs } = this;
    return [paths, keyed, executed, funded, files, jobs].reduce((sum, one) => sum + one.length, 0);
  }

  addFile(bytes: string) {
    this.files.push(createHash("sha256").update(bytes).digest("hex"));
  }

  /** Checks everything again, also what an earlier restart showed. */
  forgetChecks() {
    this.checked = { paths: 0, keyed: 0, executed: 0, files: 0 };
  }

  /** Acknowledged writes that a restarted simulator lacks or answers differently, one line each. */
  async missing(cli: RunningCli, directory: string): Promise<string[]> {
    const { checked } = this;
    const missing = [
      ...(await this.missingRecords(cli, this.paths.slice(checked.paths))),
      ...(await this.otherAnswers(cli, this.keyed.slice(checked.keyed))),
      ...(await this.missingTimers(cli, this.executed.slice(checked.executed))),
      ...this.files
        .slice(checked.files)
        .filter((sha256) => !holdsFile(directory, sha256))
        .map((sha256) => `the uploaded file ${sha256}`),
    ];
    missing.push(...(await this.halfFixtures(cli)));
    const { paths, keyed, executed, files } = this;
    this.checked = {
      paths: paths.length,
      keyed: keyed.length,
      executed: executed.length,
      files: files.length,
    };
    return missing;
  }

  private async halfFixtures({ call }: RunningCli) {
    const half: string[] = [];
    for (const { first, last } of this.fixtures) {
      const counts = [first, last].map(async (id) => {
        const { body } = await call("GET", `/customers?platformCustomerId=${id}`);
        return body.totalCount;
      });
      const [begun, ended] = await Promise.all(counts);
      if (begun !== ended) half.push(`the fixture of ${first} is there without ${last}`);
    }
    return half;
  }

  private async missingRecords({ ready }: RunningCli, paths: readonly string[]) {
    const missing: string[] = [];
    for (const path of paths) {
      const { status } = await callPlatform(ready, { method: "GET", path });
      if (status !== 200) missing.push(`GET ${path} answers ${status}`);
    }
    return missing;
  }

  private async otherAnswers({ ready }: RunningCli, keyed: typeof this.keyed) {
    const missing: string[] = [];
    for (const { call, answer } of keyed) {
      const again = await callPlatform(ready, call);
      if (again.status !== answer.status || again.text !== answer.text)
        missing.push(
          `${call.method} ${call.path} with key ${call.key} answered ${answer.status} ` +
            `${answer.text} and then ${again.status} ${again.text}`,
        );
    }
    return missing;
  }

  /** Payments under way without a timer that would end them. */
  private async missingTimers(cli: RunningCli, executed: readonly Executed[]) {
    if (executed.length === 0) return [];
    const subjects = new Set(await pendingSubjects(cli));
    const missing: string[] = [];
    for (const { quoteId, transactionId } of executed) {
      const { body } = await cli.call("GET", `/transactions/${transactionId}`);
      const waits = UNDER_WAY.includes(body.status);
      if (waits && !subjects.has(transactionId) && !subjects.has(quoteId))
        missing.push(`${transactionId} is ${body.status} and no timer ends it`);
      const { body: quote } = await cli.call("GET", `/quotes/${quoteId}`);
      if (quote.status === "PENDING") missing.push(`the execution of ${quoteId}`);
    }
    return missing;
  }
}

const holdsFile = (directory: string, sha256: string) => {
  const path = join(directory, "files", `${sha256}.bin`);
  if (!existsSync(path)) return false;
  return createHash("sha256").update(readFileSync(path)).digest("hex") === sha256;
};

/** Subjects of all pending timers. */
const pendingSubjects = async ({ control }: RunningCli): Promise<string[]> => {
  const subjects: string[] = [];
  let query = `limit=${PAGE}`;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { body } = await control("GET", `/timers?${query}`);
    subjects.push(...body.data.map(({ subject }: { subject: string }) => subject));
    if (!body.hasMore) return subjects;
    query = `limit=${PAGE}&cursor=${encodeURIComponent(body.nextCursor)}`;
  }
  throw new Error(`Expected at most ${MAX_PAGES * PAGE} timers but found more`);
};

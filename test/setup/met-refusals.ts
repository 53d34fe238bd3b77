import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import type { Reporter, TestModule } from "vitest/node";
import { filesOf } from "./projects.ts";

/** The folder in which each worker notes the refusals that are declared and met. */
const VARIABLE = "SERVICE_SIM_MET_REFUSALS";

const noted = new Set<string>();

/** Notes that an operation declares refusals, or that a call met them. */
export const noteRefusals = (what: "declared" | "met", operationId: string, words: string[]) => {
  const folder = process.env[VARIABLE];
  if (folder === undefined) return;
  const lines = words.map((word) => `${what} ${operationId} ${word}`);
  const fresh = lines.filter((line) => !noted.has(line));
  for (const line of fresh) noted.add(line);
  if (fresh.length > 0) appendFileSync(join(folder, `${process.pid}`), `${fresh.join("\n")}\n`);
};

/** Declared refusals that no test meets, each with its reason. */
const NOT_MET: Readonly<Record<string, string>> = {
  "createPlatformExternalAccount USER_NOT_FOUND_IN_BODY": "its form names no customer",
  "createCustomer MISSING_MANDATORY_USER_INFO": "only a fixture sets what providers require",
  "patchCustomer MISSING_MANDATORY_USER_INFO": "only a fixture sets what providers require",
  "agentCreateQuote NOT_IMPLEMENTED": "goes when every kind of quote is simulated",
  "createQuote NOT_IMPLEMENTED": "goes when every kind of quote is simulated",
};

/**
 * Fails a run of the whole project `http`, as in `npm test`, in which a declared refusal was not
 * met. One that random calls alone meet needs a call of its own: another run may not make them.
 */
export class MetRefusals implements Reporter {
  private folder = "";

  onInit() {
    this.folder = mkdtempSync(join(tmpdir(), "met-refusals-"));
    process.env[VARIABLE] = this.folder;
  }

  onTestRunEnd(modules: readonly TestModule[]) {
    const lines = readdirSync(this.folder).flatMap((name) =>
      readFileSync(join(this.folder, name), "utf8").trim().split("\n"),
    );
    rmSync(this.folder, { recursive: true });
    const ran = new Set(modules.map(({ relativeModuleId }) => relativeModuleId));
    if (filesOf("http").some((file) => !ran.has(file))) return;
    const met = new Set(lines.filter((line) => line.startsWith("met ")));
    const open = [...new Set(lines.filter((line) => line.startsWith("declared ")))]
      .map((line) => line.replace("declared ", ""))
      .filter((name) => !met.has(`met ${name}`) && NOT_MET[name] === undefined);
    if (open.length === 0) return;
    process.exitCode = 1;
    process.stderr.write(
      `Expected each declared refusal to be met by a test of the project http but found none of:\n${open.sort().join("\n")}\n`,
    );
  }
}

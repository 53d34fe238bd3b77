import { createRequire } from "node:module";
import type { Load } from "./quote-load.ts";
import type { Workplace } from "./workplace.ts";

const AUTOCANNON = createRequire(import.meta.url).resolve("autocannon");
const CONNECTIONS = 50;
const STARTING_LIMIT_MS = 10_000;

interface LoadReport {
  /** Seconds. */
  duration: number;
  "2xx": number;
  non2xx: number;
  errors: number;
  timeouts: number;
}

/**
 * Successful requests per second over 50 connections, sent by autocannon in its own process.
 * @throws when an answer was not a success, or none came
 */
export const requestsPerSecond = async (
  workplace: Workplace,
  { method, url, authorization, body }: Load,
  seconds: number,
): Promise<number> => {
  const sending = body ? ["-b", JSON.stringify(body), "-H", "content-type: application/json"] : [];
  const shape = ["-j", "-n", "-c", String(CONNECTIONS), "-d", String(seconds), "-m", method];
  const args = [AUTOCANNON, ...shape, "-H", `authorization: ${authorization}`, ...sending, url];
  const child = workplace.start(args, workplace.directory());
  const report = JSON.parse(await child.text(seconds * 1000 + STARTING_LIMIT_MS)) as LoadReport;
  await workplace.end(child);
  const { duration, "2xx": successes, non2xx, errors, timeouts } = report;
  if (successes === 0 || non2xx + errors + timeouts > 0)
    throw new Error(
      `Expected only successes of ${method} ${url} but found ${successes}, beside ${non2xx} ` +
        `other statuses, ${errors} errors and ${timeouts} timeouts`,
    );
  return successes / duration;
};

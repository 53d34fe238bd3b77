import { fileURLToPath } from "node:url";
import type { Workplace } from "./workplace.ts";

const REQUEST_LOOP = fileURLToPath(new URL("request-loop.js", import.meta.url));
const LIMIT_MS = 120_000;

interface LoopRequest {
  method: "GET" | "POST";
  path: string;
  /** Beside those of all requests. */
  headers?: Readonly<Record<string, string>>;
  body?: object;
}

/** Requests of a loop, sent in turn, each again when all had theirs. */
export interface RequestLoop {
  origin: string;
  headers: Readonly<Record<string, string>>;
  requests: readonly LoopRequest[];
  connections: number;
  /** Requests in all. */
  total: number;
  /** Requests a second, over one connection; as fast as they are answered by default. */
  perSecond?: number;
  /** Whether the report has the ids that the answers name. */
  asksIds?: boolean;
}

export interface LoopReport {
  seconds: number;
  /** Milliseconds of each request, in the order of the answers. */
  tookMs: number[];
  ids?: string[];
}

/**
 * Sends requests in a process of their own.
 * @throws when an answer is not a success
 */
export const requestLoop = async (
  workplace: Workplace,
  asked: RequestLoop,
): Promise<LoopReport> => {
  const child = workplace.start([REQUEST_LOOP, workplace.file(asked)], workplace.directory());
  const report = JSON.parse(await child.text(LIMIT_MS)) as LoopReport;
  await workplace.end(child);
  return report;
};

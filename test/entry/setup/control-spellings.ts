import { CONTROL_ENDPOINTS, isOpenOperation } from "../../../src/control/control-surface.ts";
import { served } from "./control-doors.ts";
import type { Product } from "./product.ts";
import { SPELLINGS } from "./spellings.ts";
import { eachOf } from "./wire.ts";

/** A closed operation under another spelling of its path. */
export interface Spelled {
  method: string;
  path: string;
  spelling: string;
}

const CLOSED = CONTROL_ENDPOINTS.filter((operation) => !isOpenOperation(operation));

/** Every closed operation in every spelling. */
export const SPELLED: readonly Spelled[] = CLOSED.flatMap(({ method, path }) =>
  Object.entries(SPELLINGS).map(([spelling, write]) => ({
    method,
    path: write(`/_sim${path.replace(/\{\w+\}/g, "x")}`),
    spelling,
  })),
);

export const CLOSED_COUNT = CLOSED.length;

/** Statuses of an answer that did nothing: refused, unknown, or not understood. */
const SHUT: ReadonlySet<number> = new Set([400, 401, 403, 404, 405]);

const INTRUDERS = {
  near: { host: "evil.example" },
  "near by a page": { host: "127.0.0.1", origin: "http://evil.example" },
  far: { host: "127.0.0.1" },
};

/** Spellings under which an intruder gets an answer that an operation gives. */
export const wrongSpellings = async (product: Product, rows: readonly Spelled[]) => {
  const findings: string[] = [];
  for (const [place, headers] of Object.entries(INTRUDERS))
    await served(product, place !== "far", (wire) =>
      eachOf(rows, async ({ method, path, spelling }) => {
        // Node.js refuses to send some spellings, which no browser sends either.
        const answer = await wire.call({ method, path, headers }).catch(() => undefined);
        if (answer === undefined || SHUT.has(answer.status)) return;
        const isLive = path.includes("live") && answer.text === '{"ok":true}';
        if (!isLive) findings.push(`${place}: ${method} ${path} (${spelling}) is ${answer.status}`);
      }),
    );
  return findings;
};

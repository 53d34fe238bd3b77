import { CONTROL_ENDPOINTS, isOpenOperation } from "../../../src/control/control-surface.ts";
import { served } from "./control-access.ts";
import type { Product } from "./product.ts";
import { SPELLINGS } from "./spellings.ts";
import { eachOf, type WireAnswer } from "./wire.ts";

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

/** Codes of answers that no operation of the control surface gave. */
const SHUT: ReadonlySet<string> = new Set([
  "HOST_NOT_ALLOWED",
  "ORIGIN_NOT_ALLOWED",
  "CONTROL_TOKEN_NEEDED",
  "REFERENCE_NOT_FOUND",
  "INVALID_REQUEST_FORMAT",
]);

/** The code of an error of either surface. */
const codeOf = ({ status, text }: WireAnswer): string => {
  try {
    const body = JSON.parse(text);
    return body.error?.code ?? body.code;
  } catch {
    return `${status} without a code`;
  }
};

const INTRUDERS = {
  "on loopback": { host: "evil.example" },
  "on loopback by a page": { host: "127.0.0.1", origin: "http://evil.example" },
  "beyond loopback": { host: "127.0.0.1" },
};

/** Spellings under which an intruder gets an answer that an operation gives. */
export const wrongSpellings = async (product: Product, rows: readonly Spelled[]) => {
  const findings: string[] = [];
  for (const [place, headers] of Object.entries(INTRUDERS))
    await served(product, place !== "beyond loopback", (wire) =>
      eachOf(rows, async ({ method, path, spelling }) => {
        // Node.js refuses to send some spellings, which no browser sends either.
        const answer = await wire.call({ method, path, headers }).catch(() => undefined);
        if (answer === undefined || SHUT.has(codeOf(answer))) return;
        findings.push(`${place}: ${method} ${path} (${spelling}) is ${codeOf(answer)}`);
      }),
    );
  return findings;
};

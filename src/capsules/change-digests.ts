import { createHash } from "node:crypto";
import { defined } from "../contract/core/defined.ts";
import type { Change } from "../runtime/change.ts";

/** A change as a capsule keeps it. */
export interface ChangeDigest {
  by: string;
  row?: string;
  digest: string;
}

const DIGEST_LENGTH = 12;

/**
 * The digest of a change; nothing for one of an attempt alone, which holds wall time. Records of
 * deliveries are left out of the others, and so are numbers that attempts count up.
 */
export const digestOfChange = (
  change: Change,
  hidden: (text: string) => string = (text) => text,
): ChangeDigest | undefined => {
  const { seq: _seq, n: _n, put = [], del = [], ...kept } = change;
  if (change.by === "webhook.attempt") return undefined;
  const isDomain = ([kind]: readonly [string, ...unknown[]]) => !kind.startsWith("Delivery");
  const whole = JSON.stringify([kept, put.filter(isDomain), del.filter(isDomain)]);
  // A replay has credentials of its own, and placeholders have other digests.
  const content = hidden(whole).replace(/"(secretHash|bodyDigest)":"[0-9a-f]*"/g, "");
  const digest = createHash("sha256").update(content).digest("hex").slice(0, DIGEST_LENGTH);
  return { by: change.by, ...defined({ row: change.row }), digest };
};

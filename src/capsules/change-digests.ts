import { createHash } from "node:crypto";
import { defined } from "../contract/core/defined.ts";
import type { Kind, Records } from "../domain/records/records.ts";
import type { Change } from "../runtime/change.ts";
import { CAPSULE_VERSION, type ChangeLine, FACTS_SINCE } from "./capsule-lines.ts";
import type { ReplyDifference } from "./difference.ts";

/** A change as a capsule keeps it. */
export interface ChangeDigest {
  by: string;
  row?: string;
  digest: string;
}

const DIGEST_LENGTH = 12;

/** Format that digests name, whatever the record has: its number says nothing of what happened. */
const DIGESTED_FORMAT = 4;

/**
 * Records without secrets and random values, which a replay has others of
 * (spec/capsules.md#compared-changes). Values that appear in replies are compared with the replies.
 */
const WITHOUT_RANDOM_PARTS: { [K in Kind]?: (record: Records[K]) => object } = {
  AuthMethod: ({ otp, ...kept }) => {
    const { targetKeyHex: _key, ...open } = otp ?? {};
    return { ...kept, ...(otp && { otp: { ...open, code: "" } }) };
  },
  Document: ({ file, ...kept }) => ({ ...kept, file: { ...file, sha256: "" } }),
  Mail: ({ code: _code, text: _text, ...kept }) => kept,
  PlatformConfig: ({ codes: _codes, opening, ...kept }) => ({
    ...kept,
    ...(opening && { opening: { ...opening, settings: { ...opening.settings, codes: "" } } }),
  }),
  Request: ({ body: _body, payloadToSign: _payload, ...kept }) => kept,
};

type Put = NonNullable<Change["put"]>[number];

const comparedPut = ([kind, record]: Put) => {
  const compared = WITHOUT_RANDOM_PARTS[kind] as ((record: unknown) => object) | undefined;
  return [kind, compared ? compared(record) : record];
};

/**
 * The digest of a change; nothing for a change that only records an attempt of a delivery, since it
 * holds real time. Records of deliveries are left out of the others, and so are the numbers `seq`
 * and `n`, which attempts increase too.
 * @param options.version of the capsule: those before `FACTS_SINCE` digest whole records
 */
export const digestOfChange = (
  change: Change,
  options: { version?: number; hidden?: (text: string) => string } = {},
): ChangeDigest | undefined => {
  const { version = CAPSULE_VERSION, hidden = (text: string) => text } = options;
  const { seq: _seq, n: _n, put = [], del = [], ...kept } = change;
  if (change.by === "webhook.attempt") return undefined;
  const isNotDelivery = ([kind]: readonly [string, ...unknown[]]) => !kind.startsWith("Delivery");
  const puts = put.filter(isNotDelivery);
  const compared = version < FACTS_SINCE ? puts : puts.map(comparedPut);
  const named = { ...kept, v: DIGESTED_FORMAT };
  const whole = JSON.stringify([named, compared, del.filter(isNotDelivery)]);
  // A replay has credentials of its own, and placeholders have other digests.
  const content = hidden(whole).replace(/"(secretHash|bodyDigest)":"[0-9a-f]*"/g, "");
  const digest = createHash("sha256").update(content).digest("hex").slice(0, DIGEST_LENGTH);
  return { by: change.by, ...defined({ row: change.row }), digest };
};

/** A change of a world that a replay has made. */
export type FoundChange = ChangeDigest & { world: string };

const describe = (change: { by: string; row?: string } | undefined) => {
  if (!change) return "none";
  return change.row === undefined ? change.by : `${change.by} by the row ${change.row}`;
};

/**
 * The first recorded change that the replay made differently, or not at all. Each world has an
 * order of its own: when the timers of two worlds fire depends on the machine.
 * @param options.isCut the recording was cut off, and may hold changes of a request that it lacks
 */
export const firstChangeDifference = (
  recorded: readonly ChangeLine[],
  replayed: readonly FoundChange[],
  { isCut }: { isCut: boolean },
): ReplyDifference | undefined => {
  const worlds = new Set(recorded.map(({ world }) => world));
  for (const world of worlds) {
    const lines = recorded.filter((line) => line.world === world);
    const own =
      world === undefined ? replayed : replayed.filter((change) => change.world === world);
    const at = lines.findIndex(
      ({ digest }, index) => digest !== own[index]?.digest && !(isCut && index >= own.length),
    );
    if (at < 0) continue;
    const place = worlds.size > 1 ? ` of the world ${world}` : "";
    return {
      where: `change ${at + 1}${place}`,
      recorded: describe(lines[at]),
      found: describe(own[at]),
    };
  }
  return undefined;
};

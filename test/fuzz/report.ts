import { DESCRIBED_OPERATIONS } from "./described-operations.ts";
import type { Finding } from "./lane.ts";
import { distinctFindings, type heapGrowth, type Report } from "./wire-campaign.ts";

const BYTES_PER_MEGABYTE = 1e6;
const MOST_SHOWN = 20;

const megabytes = (bytes: number) => `${(bytes / BYTES_PER_MEGABYTE).toFixed(1)} MB`;

const sorted = (counts: ReadonlyMap<string, number>) =>
  [...counts].sort(([one], [other]) => one.localeCompare(other));

/** The bytes of a request as `printf` takes them, so that a shell can send them again. */
export const printable = (bytes: Buffer): string =>
  [...bytes]
    .map((byte) => {
      const isPlain = byte >= 0x20 && byte < 0x7f && ![0x22, 0x25, 0x27, 0x5c].includes(byte);
      return isPlain ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, "0")}`;
    })
    .join("");

/** A finding with everything that repeats it. */
export const findingLines = (one: Finding, { seed, count }: { seed: number; count: number }) => [
  `${one.operation}: ${one.problem}`,
  `  ${count} times, first as ${one.kind} ${one.how}, request ${one.at} of lane ${one.lane}`,
  `  bytes   printf '${printable(one.bytes)}' | nc 127.0.0.1 <port>`,
  `  replay  npm run fuzz -- --seed ${seed} --lane ${one.lane}`,
];

/** A campaign as a person reads it. */
export const linesOf = (
  { tally, heap, unreached, seconds }: Report,
  { seed, growth }: { seed: number; growth: ReturnType<typeof heapGrowth> },
): string[] => {
  const perSecond = Math.round(tally.requests / seconds);
  const reached = DESCRIBED_OPERATIONS.length - unreached.length;
  const findings = distinctFindings(tally.findings);
  const share = `${(100 * growth.share).toFixed(1)} %`;
  return [
    `seed ${seed}: ${tally.requests} requests in ${seconds.toFixed(0)} s, ${perSecond} a second`,
    `kinds     ${Object.entries(tally.byKind)
      .map(([kind, count]) => `${kind} ${count}`)
      .join(", ")}`,
    `statuses  ${sorted(tally.byStatus)
      .map(([status, count]) => `${status}: ${count}`)
      .join(", ")}`,
    `reached   ${reached} of ${DESCRIBED_OPERATIONS.length} operations with 2xx`,
    `heap      ${megabytes(growth.before)} in the middle, ${megabytes(growth.after)} at the end ` +
      `(${share}), ${heap.length} rounds`,
    `findings  ${findings.length}`,
    ...findings
      .slice(0, MOST_SHOWN)
      .flatMap(({ first, count }) => ["", ...findingLines(first, { seed, count })]),
  ];
};

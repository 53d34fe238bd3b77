import type { FuzzedWorld } from "./fuzzed-world.ts";
import type { Finding } from "./lane.ts";
import type { Shrunk } from "./shrink.ts";
import { distinctFindings, type heapGrowth, type Report } from "./wire-campaign.ts";

const BYTES_PER_MEGABYTE = 1e6;
const MOST_SHOWN = 20;
/** Bytes of a request that are printed. */
const LONGEST_SHOWN = 4_000;

const megabytes = (bytes: number) => `${(bytes / BYTES_PER_MEGABYTE).toFixed(1)} MB`;

const sorted = (counts: ReadonlyMap<string, number>) =>
  [...counts].sort(([one], [other]) => one.localeCompare(other));

/** The bytes of a request as `printf` takes them, so that a shell can send them again. */
export const printable = (bytes: Buffer): string =>
  [...bytes.subarray(0, LONGEST_SHOWN)]
    .map((byte) => {
      const isPlain = byte >= 0x20 && byte < 0x7f && ![0x22, 0x25, 0x27, 0x5c].includes(byte);
      return isPlain ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, "0")}`;
    })
    .join("");

/** Facts of a campaign beside its report. */
interface Told {
  seed: number;
  /** Name of the form of the server. */
  form: string;
}

const sentLine = (bytes: Buffer) => `printf '${printable(bytes)}' | nc 127.0.0.1 <port>`;

const shrunkLines = (one: Finding, shrunk: Shrunk | undefined) => {
  if (!shrunk)
    return [
      `  bytes   ${sentLine(one.bytes)}`,
      "  shrunk  not: it did not come again in a new world",
    ];
  const { bytes, earlier } = shrunk;
  const size = bytes.at(-1)?.length ?? 0;
  return [
    `  shrunk  to ${size} bytes, behind ${bytes.length - 2} of ${earlier} earlier calls`,
    ...bytes.map((each, at) => `  ${at === 0 ? "world " : "bytes "}  ${sentLine(each)}`),
  ];
};

/** A finding with everything that repeats it. */
export const findingLines = (
  one: Finding,
  { seed, form, count, shrunk }: Told & { count: number; shrunk?: Shrunk | undefined },
) => [
  `${one.operation}: ${one.problem}`,
  `  ${count} times, first as ${one.kind} ${one.how}, request ${one.at} of lane ${one.lane}`,
  ...shrunkLines(one, shrunk),
  `  server  npm run fuzz -- --form ${form} --serve`,
  `  replay  npm run fuzz -- --seed ${seed} --form ${form} --lane ${one.lane}`,
];

/** The way to a served world, for those who repeat a finding by hand. */
export const serverLines = ({ port, clientId, clientSecret, controlToken }: FuzzedWorld) => [
  `http://127.0.0.1:${port} serves ${clientId}:${clientSecret}`,
  ...(controlToken === undefined ? [] : [`the control token is ${controlToken}`]),
];

/** A campaign as a person reads it. */
export const linesOf = (
  { tally, heap, unreached, seconds }: Report,
  {
    operations,
    growth,
    shrunk,
    ...told
  }: Told & {
    /** Count of the operations. */
    operations: number;
    growth: ReturnType<typeof heapGrowth>;
    shrunk: readonly Shrunk[];
  },
): string[] => {
  const perSecond = Math.round(tally.requests / seconds);
  const findings = distinctFindings(tally.findings);
  const share = `${(100 * growth.share).toFixed(1)} %`;
  return [
    `${told.form}, seed ${told.seed}: ${tally.requests} requests in ${seconds.toFixed(0)} s, ` +
      `${perSecond} a second`,
    `kinds     ${Object.entries(tally.byKind)
      .map(([kind, count]) => `${kind} ${count}`)
      .join(", ")}`,
    `statuses  ${sorted(tally.byStatus)
      .map(([status, count]) => `${status}: ${count}`)
      .join(", ")}`,
    `reached   ${operations - unreached.length} of ${operations} operations with 2xx`,
    `heap      ${megabytes(growth.before)} in the middle, ${megabytes(growth.after)} at the end ` +
      `(${share}), ${heap.length} rounds`,
    `findings  ${findings.length}`,
    ...findings.slice(0, MOST_SHOWN).flatMap(({ first, count }) => {
      const small = shrunk.find(({ finding }) => finding === first);
      return ["", ...findingLines(first, { ...told, count, shrunk: small })];
    }),
  ];
};

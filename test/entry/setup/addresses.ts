import { BlockList, isIPv6 } from "node:net";
import { drawsOf } from "../../setup/draws.ts";

/** Outcome for a target: never called, called on loopback alone, or called from anywhere. */
export type Outcome = "never" | "local" | "open";

const listOf = (ranges: readonly string[]) => {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", prefix = ""] = range.split("/");
    list.addSubnet(address, Number(prefix), isIPv6(address) ? "ipv6" : "ipv4");
  }
  return list;
};

/** The ranges of spec/webhooks.md#targets, written out once more and read by Node.js. */
const NEVER_V4 = ["169.254.0.0/16", "100.100.100.200/32", "168.63.129.16/32", "192.0.0.192/32"];
const NEVER_V6 = ["fe80::/10", "fd00:ec2::254/128", "fd20:ce::254/128"];
const LOCAL_V4 = [
  "127.0.0.0/8",
  "0.0.0.0/8",
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "100.64.0.0/10",
  "192.0.0.0/24",
  "198.18.0.0/15",
  "224.0.0.0/4",
  "240.0.0.0/4",
];
const LOCAL_V6 = ["::1/128", "::/128", "fc00::/7", "fec0::/10", "ff00::/8"];

const LISTS = {
  ipv4: { never: listOf(NEVER_V4), local: listOf(LOCAL_V4) },
  ipv6: { never: listOf(NEVER_V6), local: listOf(LOCAL_V6) },
};

/** The outcome for an address in its usual notation. */
export const outcomeOf = (address: string): Outcome => {
  const family = isIPv6(address) ? "ipv6" : "ipv4";
  if (LISTS[family].never.check(address, family)) return "never";
  return LISTS[family].local.check(address, family) ? "local" : "open";
};

type Bytes = readonly [number, number, number, number];

const bytesOf = (value: number): Bytes => [
  value >>> 24,
  (value >>> 16) & 255,
  (value >>> 8) & 255,
  value & 255,
];

const dotted = (value: number) => bytesOf(value).join(".");
const hex = (value: number) => `0x${value.toString(16)}`;
const octal = (value: number) => `0${value.toString(8)}`;
const groups = (value: number) => `${(value >>> 16).toString(16)}:${(value & 0xffff).toString(16)}`;

/** Ways to write an IPv4 address as the host of a URL. */
export const NOTATIONS: Readonly<Record<string, (value: number) => string>> = {
  dotted,
  "with a dot at its end": (value) => `${dotted(value)}.`,
  decimal: (value) => `${value}`,
  hexadecimal: hex,
  octal: (value) => `0${value.toString(8)}`,
  "octal parts": (value) => bytesOf(value).map(octal).join("."),
  "octal parts with zeros": (value) =>
    bytesOf(value)
      .map((one) => `000${one.toString(8)}`)
      .join("."),
  "hexadecimal parts": (value) => bytesOf(value).map(hex).join("."),
  "mixed parts": (value) => {
    const [a, b, c, d] = bytesOf(value);
    return `${hex(a)}.${octal(b)}.${c}.${hex(d)}`;
  },
  "three parts": (value) => `${value >>> 24}.${(value >>> 16) & 255}.${value & 0xffff}`,
  "two parts": (value) => `${value >>> 24}.${value & 0xffffff}`,
  "percent-encoded": (value) => dotted(value).replaceAll(".", "%2e"),
  "wide digits": (value) =>
    dotted(value).replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
  "wide dots": (value) => dotted(value).replaceAll(".", "。"),
  mapped: (value) => `[::ffff:${dotted(value)}]`,
  "mapped in hexadecimal": (value) => `[::ffff:${groups(value)}]`,
  compatible: (value) => `[::${dotted(value)}]`,
  "mapped in full": (value) => `[0:0:0:0:0:FFFF:${groups(value)}]`,
  translated: (value) => `[::ffff:0:${groups(value)}]`,
  NAT64: (value) => `[64:ff9b::${groups(value)}]`,
  "local NAT64": (value) => `[64:ff9b:1::${groups(value)}]`,
  "6to4": (value) => `[2002:${groups(value)}::1]`,
};

const numberOf = (address: string) =>
  address.split(".").reduce((value, part) => (value * 256 + Number(part)) >>> 0, 0);

/** First and last address of each range, and those beside them. */
const edgesOf = (range: string) => {
  const [address = "", prefix = ""] = range.split("/");
  const first = numberOf(address);
  const last = (first + 2 ** (32 - Number(prefix)) - 1) >>> 0;
  return [first, last, (first - 1) >>> 0, (last + 1) >>> 0];
};

/** An address in a notation, and the outcome for it. */
export interface WrittenAddress {
  notation: string;
  /** Host of a URL. */
  host: string;
  outcome: Outcome;
}

/** Edges of all ranges, and some numbers that a seed draws, each in every notation. */
export const writtenAddresses = (seed: number, drawn: number): WrittenAddress[] => {
  const draw = drawsOf(seed);
  const values = [
    ...[...NEVER_V4, ...LOCAL_V4].flatMap(edgesOf),
    ...Array.from({ length: drawn }, () => Math.floor(draw() * 2 ** 32)),
  ];
  return [...new Set(values)].flatMap((value) =>
    Object.entries(NOTATIONS).map(([notation, write]) => ({
      notation,
      host: write(value),
      outcome: outcomeOf(dotted(value)),
    })),
  );
};

/** IPv6 addresses that stand for no other. */
export const PLAIN_V6: readonly WrittenAddress[] = [
  ...["fe80::1", "febf:ffff::1", "fd00:ec2::254", "fd20:ce::254"].map((address) => ({
    address,
    outcome: "never" as const,
  })),
  ...["::1", "::", "fc00::1", "fdff::1", "fec0::1", "ff02::1", "fd00:ec2::253"].map((address) => ({
    address,
    outcome: "local" as const,
  })),
  ...["2606:4700::1111", "fe00::1", "2001:db8::1"].map((address) => ({
    address,
    outcome: "open" as const,
  })),
].map(({ address, outcome }) => ({ notation: "IPv6", host: `[${address}]`, outcome }));

/** Reach of an address. */
export type Reach = "forbidden" | "private" | "loopback" | "public";

/**
 * Addresses that are not public, as CIDR (spec/webhooks.md#targets). `forbidden` are link-local
 * addresses and those from which cloud machines read their credentials. Some of the latter lie in
 * other ranges, so forbidden ones come first.
 */
export const REACHES: Readonly<Record<Exclude<Reach, "public">, readonly string[]>> = {
  forbidden: [
    "169.254.0.0/16",
    "fe80::/10",
    "fd00:ec2::254/128",
    "fd20:ce::254/128",
    "100.100.100.200/32",
    "168.63.129.16/32",
    "192.0.0.192/32",
  ],
  // 0.0.0.0 and :: reach this machine.
  loopback: ["127.0.0.0/8", "0.0.0.0/8", "::1/128", "::/128"],
  private: [
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "100.64.0.0/10",
    "192.0.0.0/24",
    "198.18.0.0/15",
    "224.0.0.0/4",
    "240.0.0.0/4",
    "fc00::/7",
    "fec0::/10",
    "ff00::/8",
  ],
};

/** IPv6 ranges that stand for IPv4 addresses, and the number of bits before the IPv4 address. */
const EMBEDDINGS = [
  { range: "::ffff:0:0/96", before: 96 },
  { range: "::ffff:0:0:0/96", before: 96 },
  { range: "64:ff9b:1::/48", before: 96 },
  { range: "::/96", before: 96 },
  { range: "64:ff9b::/96", before: 96 },
  { range: "2002::/16", before: 16 },
] as const;

/** An address as a number, and the number of bits in its family. */
interface Numbered {
  bits: 32 | 128;
  value: bigint;
}

const IPV4 = /^\d{1,3}(\.\d{1,3}){3}$/;

const joined = (parts: readonly number[], width: number) =>
  parts.reduce((value, part) => (value << BigInt(width)) | BigInt(part), 0n);

/** Groups of hexadecimal digits; `::` fills up with zeros. */
const groupsOf = (text: string) => {
  const [head = "", tail] = text.split("::");
  const read = (part: string) =>
    part
      .split(":")
      .filter(Boolean)
      .map((one) => parseInt(one, 16));
  if (tail === undefined) return read(head);
  const [first, last] = [read(head), read(tail)];
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
};

/** Reads an address with the URL parser, which knows every notation; nothing for a name. */
const numbered = (text: string): Numbered | undefined => {
  const address = text.replace(/^\[|\]$/g, "").replace(/%.*$/s, "");
  const host = address.includes(":") ? `[${address}]` : address;
  if (!URL.canParse(`http://${host}/`)) return undefined;
  const { hostname } = new URL(`http://${host}/`);
  if (hostname.startsWith("["))
    return { bits: 128, value: joined(groupsOf(hostname.slice(1, -1)), 16) };
  return IPV4.test(hostname)
    ? { bits: 32, value: joined(hostname.split(".").map(Number), 8) }
    : undefined;
};

/** A range of addresses. */
interface Range extends Numbered {
  /** Number of leading bits that all its addresses share. */
  prefix: number;
}

const rangeOf = (text: string): Range | undefined => {
  const [address = "", prefixText, ...rest] = text.split("/");
  const network = numbered(address);
  if (!network || rest.length > 0) return undefined;
  const prefix = prefixText === undefined ? network.bits : Number(prefixText);
  const isPrefix = prefixText === undefined || /^\d{1,3}$/.test(prefixText);
  return isPrefix && prefix <= network.bits ? { ...network, prefix } : undefined;
};

const isIn = (address: Numbered, { bits, value, prefix }: Range) =>
  address.bits === bits &&
  address.value >> BigInt(bits - prefix) === value >> BigInt(bits - prefix);

const rangesOf = (texts: readonly string[]) => texts.flatMap((text) => rangeOf(text) ?? []);

const readTables = () => ({
  reaches: (["forbidden", "private", "loopback"] as const).map((reach) => ({
    reach,
    ranges: rangesOf(REACHES[reach]),
  })),
  embeddings: EMBEDDINGS.map(({ range, before }) => ({
    ranges: rangesOf([range]),
    shift: BigInt(128 - before - 32),
  })),
});

let tables: ReturnType<typeof readTables> | undefined;

/** Both tables as numbers, read at the first address: that takes a hundredth of a start. */
const inNumbers = () => {
  tables ??= readTables();
  return tables;
};

/** The address itself, and the IPv4 address that it stands for. */
const meaningsOf = (address: Numbered): Numbered[] => [
  address,
  ...inNumbers()
    .embeddings.filter(({ ranges }) => ranges.some((range) => isIn(address, range)))
    .map(({ shift }): Numbered => ({ bits: 32, value: (address.value >> shift) & 0xffff_ffffn })),
];

/**
 * The reach of an address in any notation; nothing for a name (spec/webhooks.md#targets). An IPv6
 * address that stands for an IPv4 one counts as the stricter of the two.
 */
export const reachOf = (address: string): Reach | undefined => {
  const numberedAddress = numbered(address);
  if (!numberedAddress) return undefined;
  const meanings = meaningsOf(numberedAddress);
  const row = inNumbers().reaches.find(({ ranges }) =>
    ranges.some((range) => meanings.some((meaning) => isIn(meaning, range))),
  );
  return row?.reach ?? "public";
};

/** The host of a URL, IPv6 addresses without brackets; empty where the text is no URL. */
export const hostOfUrl = (url: string) =>
  URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, "") : "";

/** Tells whether a URL writes out an address that never gets a webhook. */
export const namesForbiddenAddress = (url: string) => reachOf(hostOfUrl(url)) === "forbidden";

/** Whether a text has no control characters. */
export const isPrintable = (text: string) => /^\P{Cc}*$/u.test(text);

/** Whether a text is the URL of a receiver of webhooks, as an option or a call can set it. */
export const isReceiverUrl = (text: string) => isHttpUrl(text) && !namesForbiddenAddress(text);

/** Whether a text is an http or https URL on one line. */
export const isHttpUrl = (text: string) =>
  URL.canParse(text) && isPrintable(text) && /^https?:$/.test(new URL(text).protocol);

/** Tells whether an entry of an allow list covers a host, by name or by address. */
export type Allows = (host: string, address: string | undefined) => boolean;

const HOST_NAME = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?$/i;

const bareName = (host: string) => host.toLowerCase().replace(/\.$/, "");

/**
 * Reads an entry of an allow list: a host name, an address, or a CIDR range. Nothing when it is
 * none of these, or when it names an address that is never called.
 */
export const allowEntryOf = (text: string): Allows | undefined => {
  const range = rangeOf(text);
  if (range) {
    if (reachOf(text.split("/")[0] ?? "") === "forbidden") return undefined;
    return (_host, address) => {
      const numberedAddress = address === undefined ? undefined : numbered(address);
      return (
        numberedAddress !== undefined &&
        meaningsOf(numberedAddress).some((meaning) => isIn(meaning, range))
      );
    };
  }
  if (text.includes("/") || !HOST_NAME.test(text)) return undefined;
  return (host) => bareName(host) === bareName(text);
};

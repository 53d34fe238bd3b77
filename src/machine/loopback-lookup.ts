import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { isBelowLocalhost, LOOPBACK_ADDRESSES } from "../contract/core/loopback.ts";

/** Addresses of a name below `.localhost`, without asking the system, which may not know it. */
export const loopbackOf = (family = 0): LookupAddress[] =>
  LOOPBACK_ADDRESSES.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })).filter(
    (address) => family === 0 || address.family === family,
  );

const lookup: LookupFunction = (_host, { all, family }, done) => {
  const addresses = loopbackOf(Number({ IPv4: 4, IPv6: 6 }[String(family)] ?? family ?? 0));
  const [first] = addresses;
  if (all) done(null, addresses);
  else done(null, first?.address ?? "", first?.family);
};

/** Options of a connection to a host: its look-up, where the name means this machine as such. */
export const lookupFor = (hostname: string): { lookup?: LookupFunction } =>
  isBelowLocalhost(hostname) ? { lookup } : {};

/** The address to listen on for a host. */
export const listeningAddress = (host: string): string =>
  isBelowLocalhost(host) ? LOOPBACK_ADDRESSES[0] : host;

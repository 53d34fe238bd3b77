import { isIPv4, isIPv6 } from "node:net";

/** Address of the listener that a process has for the others. */
export interface PeerAddress {
  host: string;
  /** 0, for a listener alone, takes any free port. */
  port: number;
}

const FORM = /^(?:\[([^\]]+)\]|([\w.-]+)):(\d{1,5})$/;
const DIGITS_AND_DOTS = /^[\d.]+$/;

/**
 * The parts of `host:port`, an IPv6 address in brackets (spec/store.md#hops); nothing for another
 * text.
 */
export const parsePeer = (text: string): PeerAddress | undefined => {
  const [, bracketed, name, digits] = FORM.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65_535) return undefined;
  if (bracketed !== undefined) return isIPv6(bracketed) ? { host: bracketed, port } : undefined;
  if (name === undefined || (DIGITS_AND_DOTS.test(name) && !isIPv4(name))) return undefined;
  return { host: name, port };
};

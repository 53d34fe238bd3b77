import { type LookupAddress, lookup as systemLookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { defined } from "../contract/core/defined.ts";
import { isBelowLocalhost, isLocalhost, LOOPBACK_ADDRESSES } from "../contract/core/loopback.ts";
import { type Allows, hostOfUrl, type Reach, reachOf } from "../contract/core/network-reach.ts";
import { loopbackOf } from "../machine/loopback-lookup.ts";
import { Memo } from "./memo.ts";
import { ReceiverConnections } from "./receiver-connections.ts";
import type { ReceiverTrust } from "./receiver-trust.ts";

/** Resolves a name to all its addresses, like `dns.lookup` with `all`. */
export type Resolve = (
  name: string,
  options: { all: true; family?: number; hints?: number },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface TargetOptions {
  /** Whether only this machine can reach the simulator now. */
  isLoopback(): boolean;
  /** Targets that may be called beyond loopback although they are not public. */
  allowed?: readonly Allows[];
  /** Receivers on loopback may have any certificate (spec/webhooks.md#certificates). */
  isInsecure?: boolean;
  /** Look-up of names; the system's by default. */
  resolve?: Resolve;
}

const KINDS: Readonly<Record<Exclude<Reach, "public">, string>> = {
  forbidden: "a link-local or metadata address",
  private: "a private address",
  loopback: "a loopback address",
};

const hosts = new Memo(hostOfUrl);
const reaches = new Memo((address) => reachOf(address) ?? "none");

/** The reach of an address, computed once: each attempt asks for it several times. */
export const reachKnown = (address: string): Reach | undefined => {
  const reach = reaches.of(address);
  return reach === "none" ? undefined : reach;
};

/** Whether a URL always leads to one address; any other name is judged again at each attempt. */
export const hasFixedAddress = (url: string) => {
  const host = hosts.of(url);
  return reachKnown(host) !== undefined || isLocalhost(host);
};

/** Raised for a target that may not be called; its message is the error of the attempt. */
class TargetRefused extends Error {
  override readonly name = "TargetRefused";
}

/**
 * Decides which targets may be called (spec/webhooks.md#targets; decisions/targets-by-address.md).
 * Otherwise anyone who can set an endpoint could call hosts that only this machine or network
 * reaches.
 */
export class WebhookTargets {
  /** A connection stays open for the targets that these rules judged alone. */
  readonly connections = new ReceiverConnections();
  private readonly options: TargetOptions;

  constructor(options: TargetOptions) {
    this.options = options;
  }

  /**
   * Explains why a host may not be called at an address; nothing when it may.
   * @param host as the URL has it
   * @param address of the host; equal to a host that is an address
   */
  refusal(host: string, address: string): string | undefined {
    const reach = reachKnown(address) ?? "forbidden";
    if (reach === "public") return undefined;
    const found = `${host === address ? host : `${host} (${address})`} is ${KINDS[reach]}`;
    if (reach === "forbidden") return `not called: ${found}`;
    const { isLoopback, allowed = [] } = this.options;
    if (isLoopback() || allowed.some((allows) => allows(host, address))) return undefined;
    return `not called: ${found}; start with --allow-webhook-target ${host}`;
  }

  /** Checks a URL whose host is an address; names are checked when they are looked up. */
  requireWrittenAddress(url: string) {
    const host = hosts.of(url);
    const refusal = reachKnown(host) === undefined ? undefined : this.refusal(host, host);
    if (refusal !== undefined) throw new TargetRefused(refusal);
  }

  /** Rules for certificates of receivers. */
  trustIn(ca: string | undefined): ReceiverTrust {
    const { isInsecure = false } = this.options;
    return { ca, takesAny: (address) => isInsecure && reachKnown(address) === "loopback" };
  }

  /** Explains why a URL is never called; nothing when it may be, or when a look-up has to tell. */
  refusalOf(url: string): string | undefined {
    if (!URL.canParse(url)) return `not called: ${url} is not a URL`;
    const host = hostOfUrl(url);
    const written = reachOf(host) === undefined ? [] : [host];
    const addresses = isLocalhost(host) ? LOOPBACK_ADDRESSES : written;
    const refusals = addresses.map((address) => this.refusal(host, address));
    return refusals.includes(undefined) ? undefined : refusals[0];
  }

  /**
   * Look-up of a connection, which returns only addresses that may be called. Node.js connects to
   * exactly these, so a name cannot change between check and call.
   */
  readonly lookup: LookupFunction = (host, options, done) => {
    const { resolve = systemLookup as Resolve } = this.options;
    const family = { IPv4: 4, IPv6: 6 }[String(options.family)] ?? Number(options.family ?? 0);
    const { hints } = options;
    const asked = { all: true, family, ...defined({ hints }) } as const;
    const local: Resolve = (_host, _asked, found) => found(null, loopbackOf(family));
    (isBelowLocalhost(host) ? local : resolve)(host, asked, (error, addresses) => {
      if (error) return done(error, "", 0);
      const judged = addresses.map((one) => ({ ...one, why: this.refusal(host, one.address) }));
      const fit = judged.filter(({ why }) => why === undefined);
      const [first] = fit;
      if (!first) return done(new TargetRefused(judged[0]?.why ?? `${host} has no address`), "", 0);
      if (options.all)
        return done(
          null,
          fit.map(({ address, family }) => ({ address, family })),
        );
      done(null, first.address, first.family);
    });
  };
}

/** Targets of a program that only its own machine can reach. */
export const LOCAL_TARGETS = new WebhookTargets({ isLoopback: () => true });

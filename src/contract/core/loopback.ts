/** A name below `.localhost`, which means this machine without a look-up (RFC 6761 section 6.3). */
const BELOW_LOCALHOST = /^([a-z0-9_-]+\.)+localhost\.?$/i;
const LOCALHOST = /^localhost\.?$/i;
const LOOPBACK_ADDRESS = /^(127(\.\d{1,3}){3}|\[?::1\]?)$/i;

/** Default address to listen on. */
export const LOOPBACK = "127.0.0.1";

/** Addresses of a name below `.localhost`. */
export const LOOPBACK_ADDRESSES = [LOOPBACK, "::1"] as const;

/** Whether a name is below `.localhost`: a resolver of the system may not know it. */
export const isBelowLocalhost = (hostname: string) => BELOW_LOCALHOST.test(hostname);

/** Whether a name is `localhost` or below it. */
export const isLocalhost = (hostname: string) =>
  LOCALHOST.test(hostname) || isBelowLocalhost(hostname);

/** Whether a host name or address can only mean this machine. */
export const isLoopbackName = (hostname: string) =>
  LOOPBACK_ADDRESS.test(hostname) || isLocalhost(hostname);

import { connect } from "node:net";
import { lookupFor } from "../../machine/loopback-lookup.ts";

const CONNECT_TIMEOUT_MS = 1000;

/**
 * Connects and closes without sending, since a receiver may accept only webhooks.
 * @returns the reason when nothing listens there
 */
const connects = (port: number, host: string) =>
  new Promise<string | undefined>((done) => {
    const probe = connect({ port, host, ...lookupFor(host) });
    probe.setTimeout(CONNECT_TIMEOUT_MS, () => probe.destroy(new Error("no answer within 1s")));
    probe.on("connect", () => {
      probe.destroy();
      done(undefined);
    });
    probe.on("error", (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
  });

/** The port of an address, also when it is the usual one of its protocol. */
export const portIn = ({ port, protocol }: URL) =>
  port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);

/**
 * Tries a connection to a webhook endpoint.
 * @returns the reason when nothing listens there
 */
export const endpointProblem = (endpoint: string): Promise<string | undefined> => {
  const url = new URL(endpoint);
  // IPv6 addresses are written in brackets.
  return connects(portIn(url), url.hostname.replace(/^\[|\]$/g, ""));
};

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Resolve } from "../../../src/webhooks/targets.ts";
import type { WrittenAddress } from "./addresses.ts";
import type { Product } from "./product.ts";

const judged = (refusal: string | undefined) => (refusal === undefined ? "called" : "refused");

/** Calls near, far, and far with everything allowed, for each outcome. */
const CALLS = {
  never: "refused refused refused",
  local: "called refused called",
  open: "called called called",
};

/** Written addresses that are judged against the table of spec/webhooks.md#targets. */
export const wronglyJudged = (
  { WebhookTargets, allowEntryOf }: Product,
  rows: readonly WrittenAddress[],
): string[] => {
  const wide = ["0.0.0.0/0", "::/0"].flatMap((text) => allowEntryOf(text) ?? []);
  const near = new WebhookTargets({ isLoopback: () => true });
  const far = new WebhookTargets({ isLoopback: () => false });
  const allowing = new WebhookTargets({ isLoopback: () => false, allowed: wide });
  return rows.flatMap(({ notation, host, outcome }) => {
    const url = `http://${host}/hook`;
    const found = [near, far, allowing].map((one) => judged(one.refusalOf(url))).join(" ");
    return found === CALLS[outcome]
      ? []
      : [`${url} (${notation}): ${CALLS[outcome]}, found ${found}`];
  });
};

/** A receiver on this machine that notes who was called. */
export class Door {
  calls: string[] = [];
  /** Head of its answers. */
  answer: { status: number; location?: string } = { status: 200 };
  private readonly server = createServer((request, response) => {
    this.calls.push(`${request.headers.host}${request.url}`);
    request.resume();
    const { status, location } = this.answer;
    response.writeHead(status, location === undefined ? {} : { location });
    response.end("the answer");
  });

  async start() {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    return this;
  }

  get port() {
    return (this.server.address() as AddressInfo).port;
  }

  stop() {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(resolve));
  }
}

/** A name whose address changes from one look-up to the next. */
export interface Turncoat {
  says: string;
  /** Addresses of each look-up; the last ones repeat. */
  lookUps: readonly (readonly string[])[];
  /** The option of the simulator that judges. */
  isNear: boolean;
  allowed?: readonly string[];
  /** Success of each of two attempts to reach the receiver on 127.0.0.1. */
  reaches: readonly [boolean, boolean];
}

const METADATA = "169.254.169.254";

/** No row names a public address: nothing leaves this machine. */
export const TURNCOATS: readonly Turncoat[] = [
  { says: "stays here", lookUps: [["127.0.0.1"]], isNear: true, reaches: [true, true] },
  {
    says: "turns to metadata behind the judged look-up",
    lookUps: [["127.0.0.1"], [METADATA]],
    isNear: true,
    reaches: [true, false],
  },
  {
    says: "turns from metadata to here",
    lookUps: [[METADATA], ["127.0.0.1"]],
    isNear: true,
    reaches: [false, true],
  },
  {
    says: "turns from a private address to here, far",
    lookUps: [["10.0.0.1"], ["127.0.0.1"]],
    isNear: false,
    reaches: [false, false],
  },
  {
    says: "is allowed by name, and turns to metadata",
    lookUps: [["127.0.0.1"], [METADATA]],
    isNear: false,
    allowed: ["turncoat.test"],
    reaches: [true, false],
  },
  {
    says: "is allowed by address, and turns to another",
    lookUps: [["127.0.0.1"], ["10.0.0.1"]],
    isNear: false,
    allowed: ["127.0.0.1"],
    reaches: [true, false],
  },
  {
    says: "hides metadata behind a fit address",
    lookUps: [["127.0.0.1", METADATA]],
    isNear: true,
    reaches: [true, true],
  },
  {
    says: "hides a fit address behind metadata",
    lookUps: [[METADATA, "fe80::1", "127.0.0.1"]],
    isNear: true,
    reaches: [true, true],
  },
  {
    says: "is mapped metadata, then here",
    lookUps: [["::ffff:169.254.169.254"], ["127.0.0.1"]],
    isNear: true,
    reaches: [false, true],
  },
  {
    says: "is mapped metadata in hexadecimal",
    lookUps: [["::ffff:a9fe:a9fe"]],
    isNear: true,
    reaches: [false, false],
  },
  {
    says: "is this machine by another name, far",
    lookUps: [["0.0.0.0"], ["::ffff:127.0.0.1"]],
    isNear: false,
    reaches: [false, false],
  },
  { says: "has no address", lookUps: [[]], isNear: true, reaches: [false, false] },
];

/** Attempts that reach, or miss, the receiver against the rule, or that look a name up twice. */
export const wronglyConnected = async (
  { WebhookTargets, allowEntryOf, attemptDelivery }: Product,
  rows: readonly Turncoat[],
): Promise<string[]> => {
  const door = await new Door().start();
  const findings: string[] = [];
  try {
    for (const { says, lookUps, isNear, allowed = [], reaches } of rows) {
      let asked = 0;
      const resolve: Resolve = (_name, _options, done) => {
        const addresses = lookUps[Math.min(asked, lookUps.length - 1)] ?? [];
        asked += 1;
        const family = (address: string) => (address.includes(":") ? 6 : 4);
        done(
          null,
          addresses.map((address) => ({ address, family: family(address) })),
        );
      };
      const targets = new WebhookTargets({
        isLoopback: () => isNear,
        resolve,
        allowed: allowed.flatMap((text) => allowEntryOf(text) ?? []),
      });
      for (const [turn, isReached] of reaches.entries()) {
        door.calls = [];
        const url = `http://turncoat.test:${door.port}/hook`;
        const body = Buffer.from("{}");
        await attemptDelivery({ url, body, headers: {}, timeoutMs: 2_000, targets });
        const found = door.calls.length === 1;
        if (found !== isReached || asked !== turn + 1)
          findings.push(`a name that ${says}: attempt ${turn + 1} ${found}, ${asked} look-ups`);
      }
    }
  } finally {
    await door.stop();
  }
  return findings;
};

export const REDIRECTS = [300, 301, 302, 303, 307, 308];

/** Redirects that are followed, whether to here or to an address that is never called. */
export const followedRedirects = async ({ attemptDelivery }: Product): Promise<string[]> => {
  const [door, other] = [await new Door().start(), await new Door().start()];
  const findings: string[] = [];
  try {
    for (const status of REDIRECTS)
      for (const location of [
        `http://127.0.0.1:${other.port}/`,
        "/elsewhere",
        `http://${METADATA}/`,
      ]) {
        door.answer = { status, location };
        door.calls = [];
        const url = `http://127.0.0.1:${door.port}/hook`;
        const body = Buffer.from("{}");
        const answer = await attemptDelivery({ url, body, headers: {}, timeoutMs: 2_000 });
        if (answer.httpStatus !== status || door.calls.length !== 1 || other.calls.length > 0)
          findings.push(`${status} to ${location} was followed: ${answer.httpStatus}`);
      }
  } finally {
    await door.stop();
    await other.stop();
  }
  return findings;
};

/** Endpoints that the simulator takes although they write out an address that is never called. */
export const takenEndpoints = async (
  { createSimulator }: Product,
  rows: readonly WrittenAddress[],
): Promise<string[]> => {
  const sim = await createSimulator({ clock: "manual", onAlarm: () => {} });
  const authorization = `Basic ${btoa(`${sim.clientId}:${sim.clientSecret}`)}`;
  const findings: string[] = [];
  try {
    for (const { notation, host, outcome } of rows) {
      if (outcome !== "never") continue;
      const webhookEndpoint = `http://${host}/hook`;
      const headers = { authorization, "content-type": "application/json" };
      const body = JSON.stringify({ webhookEndpoint });
      const request = new Request(`${sim.apiUrl}/config`, { method: "PATCH", headers, body });
      const { status } = await sim.fetch(request);
      if (status !== 400) findings.push(`PATCH /config takes ${webhookEndpoint} (${notation})`);
    }
  } finally {
    await sim.close();
  }
  return findings;
};

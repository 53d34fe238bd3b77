import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Resolve } from "../../../src/webhooks/targets.ts";
import type { WrittenAddress } from "./addresses.ts";
import type { Product } from "./product.ts";

const judged = (refusal: string | undefined) => (refusal === undefined ? "called" : "refused");

/** Calls on loopback, beyond it, and beyond it with everything allowed, for each outcome. */
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
  const onLoopback = new WebhookTargets({ isLoopback: () => true });
  const beyond = new WebhookTargets({ isLoopback: () => false });
  const allowing = new WebhookTargets({ isLoopback: () => false, allowed: wide });
  return rows.flatMap(({ notation, host, outcome }) => {
    const url = `http://${host}/hook`;
    const found = [onLoopback, beyond, allowing].map((one) => judged(one.refusalOf(url))).join(" ");
    return found === CALLS[outcome]
      ? []
      : [`${url} (${notation}): ${CALLS[outcome]}, found ${found}`];
  });
};

/** A receiver on this machine that notes who was called. */
export class CalledReceiver {
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

/** A name whose address changes from one look-up to the next (DNS rebinding). */
export interface RebindingName {
  says: string;
  /** Addresses of each look-up; the last ones repeat. */
  lookUps: readonly (readonly string[])[];
  /** The option of the simulator that judges. */
  onLoopback: boolean;
  allowed?: readonly string[];
  /** Success of each of two attempts to reach the receiver on 127.0.0.1. */
  reaches: readonly [boolean, boolean];
}

const METADATA = "169.254.169.254";

/** No row names a public address: nothing leaves this machine. */
export const REBINDING_NAMES: readonly RebindingName[] = [
  { says: "stays here", lookUps: [["127.0.0.1"]], onLoopback: true, reaches: [true, true] },
  {
    says: "turns to metadata behind the judged look-up",
    lookUps: [["127.0.0.1"], [METADATA]],
    onLoopback: true,
    reaches: [true, false],
  },
  {
    says: "turns from metadata to here",
    lookUps: [[METADATA], ["127.0.0.1"]],
    onLoopback: true,
    reaches: [false, true],
  },
  {
    says: "turns from a private address to here, beyond loopback",
    lookUps: [["10.0.0.1"], ["127.0.0.1"]],
    onLoopback: false,
    reaches: [false, false],
  },
  {
    says: "is allowed by name, and turns to metadata",
    lookUps: [["127.0.0.1"], [METADATA]],
    onLoopback: false,
    allowed: ["rebinding.test"],
    reaches: [true, false],
  },
  {
    says: "is allowed by address, and turns to another",
    lookUps: [["127.0.0.1"], ["10.0.0.1"]],
    onLoopback: false,
    allowed: ["127.0.0.1"],
    reaches: [true, false],
  },
  {
    says: "hides metadata behind a fit address",
    lookUps: [["127.0.0.1", METADATA]],
    onLoopback: true,
    reaches: [true, true],
  },
  {
    says: "hides a fit address behind metadata",
    lookUps: [[METADATA, "fe80::1", "127.0.0.1"]],
    onLoopback: true,
    reaches: [true, true],
  },
  {
    says: "is mapped metadata, then here",
    lookUps: [["::ffff:169.254.169.254"], ["127.0.0.1"]],
    onLoopback: true,
    reaches: [false, true],
  },
  {
    says: "is mapped metadata in hexadecimal",
    lookUps: [["::ffff:a9fe:a9fe"]],
    onLoopback: true,
    reaches: [false, false],
  },
  {
    says: "is this machine by another name, beyond loopback",
    lookUps: [["0.0.0.0"], ["::ffff:127.0.0.1"]],
    onLoopback: false,
    reaches: [false, false],
  },
  { says: "has no address", lookUps: [[]], onLoopback: true, reaches: [false, false] },
];

/** Attempts that reach, or miss, the receiver against the rule, or that look a name up twice. */
export const wronglyConnected = async (
  { WebhookTargets, allowEntryOf, attemptDelivery }: Product,
  rows: readonly RebindingName[],
): Promise<string[]> => {
  const receiver = await new CalledReceiver().start();
  const findings: string[] = [];
  try {
    for (const { says, lookUps, onLoopback, allowed = [], reaches } of rows) {
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
        isLoopback: () => onLoopback,
        resolve,
        allowed: allowed.flatMap((text) => allowEntryOf(text) ?? []),
      });
      for (const [turn, isReached] of reaches.entries()) {
        receiver.calls = [];
        const url = `http://rebinding.test:${receiver.port}/hook`;
        const body = Buffer.from("{}");
        await attemptDelivery({ url, body, headers: {}, timeoutMs: 2_000, targets });
        const found = receiver.calls.length === 1;
        if (found !== isReached || asked !== turn + 1)
          findings.push(`a name that ${says}: attempt ${turn + 1} ${found}, ${asked} look-ups`);
      }
    }
  } finally {
    await receiver.stop();
  }
  return findings;
};

const REDIRECTS = [300, 301, 302, 303, 307, 308];

/** Redirects that are followed, whether to here or to an address that is never called. */
export const followedRedirects = async ({ attemptDelivery }: Product): Promise<string[]> => {
  const [receiver, other] = [
    await new CalledReceiver().start(),
    await new CalledReceiver().start(),
  ];
  const findings: string[] = [];
  try {
    for (const status of REDIRECTS)
      for (const location of [
        `http://127.0.0.1:${other.port}/`,
        "/elsewhere",
        `http://${METADATA}/`,
      ]) {
        receiver.answer = { status, location };
        receiver.calls = [];
        const url = `http://127.0.0.1:${receiver.port}/hook`;
        const body = Buffer.from("{}");
        const answer = await attemptDelivery({ url, body, headers: {}, timeoutMs: 2_000 });
        if (answer.httpStatus !== status || receiver.calls.length !== 1 || other.calls.length > 0)
          findings.push(`${status} to ${location} was followed: ${answer.httpStatus}`);
      }
  } finally {
    await receiver.stop();
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

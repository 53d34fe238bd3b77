import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { verifyBytes } from "../../src/crypto/ecdsa.ts";
import { createAgent } from "../setup/agents.ts";
import { runsOf } from "../setup/campaign.ts";
import { createPayee, quoteInput } from "../setup/platform.ts";
import { START, startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";
import { basic } from "../setup/tokens.ts";

/** Most worlds are 1,000 with the default one. */
const COUNT = runsOf(999, 30);
const MINUTE_MS = 60_000;
const MARKS = /m\d{4}x/g;
/** Ids of records; examples have one of zeros. */
const IDS = /\b[A-Z]\w+:(?!0{8})[0-9a-f]{8}-[0-9a-f-]{27}/g;

/** Requests that a receiver got, by the world that its address names. */
const received = new Map<string, { body: string; signature: string }[]>();
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const mark = (request.url ?? "").slice(1);
    const signature = String(request.headers["x-service-signature"]);
    const body = Buffer.concat(chunks).toString("utf8");
    received.set(mark, [...(received.get(mark) ?? []), { body, signature }]);
    response.end();
  });
});

let simulator: TestSimulator;
let url: string;

beforeAll(async () => {
  await new Promise<void>((done) => receiver.listen(0, "127.0.0.1", done));
  simulator = await startTestSimulator({ worlds: "open" });
  ({ url } = await simulator.sim.listen());
});

afterAll(async () => {
  await simulator.sim.close();
  receiver.closeAllConnections();
  await new Promise<void>((done) => receiver.close(() => done()));
});

const markOf = (index: number) => `m${String(index).padStart(4, "0")}x`;

/** One test's world over the socket, with everything that it was told. */
class Side {
  readonly index: number;
  readonly mark: string;
  readonly told: string[] = [];
  private readonly authorization: string;

  constructor(index: number) {
    this.index = index;
    this.mark = markOf(index);
    this.authorization = basic(`sandbox+${this.mark}`, simulator.sim.clientSecret);
  }

  /** The world, for short ways to call it that are shared with other tests. */
  get world(): TestSimulator {
    return {
      ...simulator,
      call: (method, path, body) => this.call(method, path, { body }),
    };
  }

  async call(method: string, path: string, { body, headers = {} }: Said = {}) {
    const authorization = { authorization: this.authorization };
    return this.send(simulator.sim.apiUrl + path, method, {
      body,
      headers: { ...authorization, ...headers },
    });
  }

  control(method: string, path: string, body?: unknown) {
    const headers = { "x-sim-world": this.mark };
    return this.send(`${url}/_sim${path}`, method, { body, headers });
  }

  private async send(to: string, method: string, { body, headers }: Said) {
    const response = await fetch(to, {
      method,
      headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    this.told.push(text);
    return {
      status: response.status,
      headers: response.headers,
      body: text === "" ? undefined : JSON.parse(text),
    };
  }
}

interface Said {
  body?: unknown;
  headers?: Record<string, string>;
}

const ok = async (answer: Promise<{ status: number; body: Parsed }>) => {
  const { status, body } = await answer;
  if (status >= 300)
    throw new Error(`Expected success but found ${status} ${JSON.stringify(body)}`);
  return body;
};

type Parsed = ReturnType<typeof JSON.parse>;

const isEach = (index: number, nth: number) => index % nth === 0;

/** Plants the world's mark wherever a record, a mail or a setting takes a text. */
const plant = async (side: Side) => {
  const { mark, index, world } = side;
  const { port } = receiver.address() as AddressInfo;
  const keyed = (key: string) => ({ "idempotency-key": key });
  if (isEach(index, 5)) await ok(side.control("POST", "/webhooks/keys/rotate"));
  const customer = await ok(
    side.call("POST", "/customers", {
      body: {
        customerType: "INDIVIDUAL",
        fullName: `Ada ${mark}`,
        region: "US",
        currencies: ["USD", "USDB"],
        email: `${mark}@shop.example`,
        platformCustomerId: mark,
      },
      headers: keyed("the same in all"),
    }),
  );
  await ok(
    side.call("PATCH", "/config", {
      body: { webhookEndpoint: `http://127.0.0.1:${port}/${mark}` },
    }),
  );
  const { data } = await ok(
    side.call("GET", `/customers/internal-accounts?customerId=${customer.id}`),
  );
  const accountOf = (code: string) =>
    data.find(({ balance }: Parsed) => balance.currency.code === code).id as string;
  await ok(
    side.call("POST", `/sandbox/internal-accounts/${accountOf("USD")}/fund`, {
      body: { amount: 100_000 + index },
    }),
  );
  await ok(
    side.call("POST", "/auth/credentials", {
      body: { type: "EMAIL_OTP", accountId: accountOf("USDB"), email: `${mark}@shop.example` },
    }),
  );
  const payee = await createPayee(world, customer.id, "003");
  const quote = await ok(
    side.call("POST", "/quotes", { body: quoteInput(accountOf("USD"), payee, 10_000 + index) }),
  );
  await ok(
    side.call("POST", `/quotes/${quote.id}/execute`, { headers: keyed("the same in all too") }),
  );
  const { deviceCode } = await createAgent(world, customer.id);
  const redeemed = await fetch(
    `${simulator.sim.apiUrl}/agents/device-codes/${deviceCode.code}/redeem`,
    { method: "POST" },
  );
  const { accessToken } = (await redeemed.json()) as { accessToken: string };
  const me = await fetch(`${simulator.sim.apiUrl}/agents/me`, {
    headers: { authorization: `Bearer ${accessToken}` },
  });
  expect(((await me.json()) as Parsed).customerId).toBe(customer.id);
  if (isEach(index, 3)) await ok(side.control("PUT", "/approvals", { mode: "approve" }));
  if (isEach(index, 7))
    await ok(side.control("POST", "/faults", { match: { times: 1 }, fault: { status: 503 } }));
};

/** Everything that a world shows on both surfaces. */
const PLATFORM_READS = ["/customers", "/transactions", "/agents", "/config"];
const CONTROL_READS = ["/requests", "/webhooks", "/inbox", "/ledger", "/timers", "/faults"];
CONTROL_READS.push("/clock", "/approvals", "/status", "/coverage", "/webhooks/keys");

const listen = async ({ mark }: Side, abort: AbortController) => {
  const headers = { "x-sim-world": mark };
  const { signal } = abort;
  const response = await fetch(`${url}/_sim/events?rows=true&control=true`, { headers, signal });
  let text = "";
  const decoder = new TextDecoder();
  const ended = (async () => {
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk);
  })().catch(() => {});
  return async () => {
    abort.abort();
    await ended;
    return text;
  };
};

const foreign = (texts: readonly string[], mark: string) => [
  ...new Set(texts.flatMap((text) => text.match(MARKS) ?? []).filter((one) => one !== mark)),
];

test(`${COUNT} worlds at once see nothing of each other, while half of them are removed`, async () => {
  const sides = Array.from({ length: COUNT }, (_, index) => new Side(index));
  await Promise.all(sides.map((side) => ok(side.call("GET", "/config"))));
  const watched = sides.filter(({ index }) => isEach(index, 25) && !isEach(index, 2));
  const feeds = await Promise.all(
    watched.map(async (side) => ({ side, end: await listen(side, new AbortController()) })),
  );
  await Promise.all(sides.map(plant));
  const staying = sides.filter(({ index }) => !isEach(index, 2));
  await Promise.all(
    sides.map(async (side) => {
      if (isEach(side.index, 2)) {
        const { status } = await fetch(`${url}/_sim/worlds/${side.mark}`, { method: "DELETE" });
        expect(status).toBe(204);
      } else await ok(side.control("POST", "/clock/advance", { by: `${side.index + 6}m` }));
    }),
  );

  const begun = new Set(
    await Promise.all(
      PLATFORM_READS.map(async (path) => JSON.stringify((await simulator.call("GET", path)).body)),
    ).then((texts) => texts.flatMap((text) => text.match(IDS) ?? [])),
  );
  const makers = new Map<string, string>();
  const strangers: object[] = [];
  for (const side of staying) {
    const { index, mark, told } = side;
    if (isEach(index, 7)) expect((await side.call("GET", "/config")).status).toBe(503);
    for (const path of PLATFORM_READS) await ok(side.call("GET", path));
    const shown: Record<string, Parsed> = {};
    for (const path of CONTROL_READS) shown[path] = await ok(side.control("GET", path));
    const [transaction] = (await side.call("GET", "/transactions")).body.data;
    await ok(side.control("GET", `/why/${transaction.id}`));
    expect(foreign(told, mark)).toEqual([]);
    expect(told.join("")).toContain(mark);
    expect(shown["/clock"].now).toBe(
      new Date(Date.parse(START) + (index + 6) * MINUTE_MS).toISOString(),
    );
    expect(Object.values(shown["/ledger"].totals).filter((sum) => sum !== 0)).toEqual([]);
    expect(shown["/inbox"].data.map(({ to }: Parsed) => to)).toEqual([`${mark}@shop.example`]);
    expect(shown["/approvals"].mode).toBe(isEach(index, 3) ? "approve" : "ask");
    expect(shown["/webhooks/keys"].retired).toHaveLength(isEach(index, 5) ? 1 : 0);
    const deliveries = received.get(mark) ?? [];
    const own = new Set(shown["/webhooks"].data.map(({ id }: Parsed) => id));
    expect(deliveries.length).toBe(own.size);
    expect(own.size).toBeGreaterThan(2);
    const { publicKey } = shown["/webhooks/keys"].current;
    for (const { body, signature } of deliveries) {
      expect(own).toContain(JSON.parse(body).id);
      expect(foreign([body], mark)).toEqual([]);
      expect(verifyBytes(publicKey, Buffer.from(body), signature)).toBe(true);
    }
    for (const id of new Set([...told, ...deliveries.map(({ body }) => body)].join(" ").match(IDS)))
      if (!begun.has(id)) {
        const maker = makers.get(id);
        if (maker !== undefined && maker !== mark) strangers.push({ id, maker, mark });
        makers.set(id, mark);
      }
  }
  for (const { side, end } of feeds) {
    const text = await end();
    expect(text).toContain(side.mark);
    expect(foreign([text], side.mark)).toEqual([]);
  }
  expect(strangers).toEqual([]);
  const { body } = await simulator.control("GET", "/worlds");
  expect(new Set(body.data.map(({ name }: Parsed) => name))).toEqual(
    new Set(["sandbox", ...staying.map(({ mark }) => mark)]),
  );
  const starting = await Promise.all(
    CONTROL_READS.map(async (path) => JSON.stringify((await simulator.control("GET", path)).body)),
  );
  expect(foreign(starting, "none")).toEqual([]);
  expect((await simulator.call("GET", "/customers")).body.totalCount).toBe(0);
  expect((await simulator.control("GET", "/clock")).body.now).toBe(START);
  expect(simulator.alarms).toEqual([]);
});

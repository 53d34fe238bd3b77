import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RemovedWorlds } from "../../src/worlds/removed-worlds.ts";
import { createAgent } from "../setup/agents.ts";
import { everyRow } from "../setup/every-row.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";
import { basic } from "../setup/tokens.ts";

/** Values of X-Sim-World, in the order of the columns. */
const HEADERS = [null, "sandbox", "here", "there", "own", "new", "UPPER"] as const;

const CONFLICT = "400 WORLD_CONFLICT";
const WRONG = "401 UNAUTHORIZED";
const NO_NAME = "401 WORLD_NAME";
const UNKNOWN = "401 WORLD_UNKNOWN";
/** The world `new`: opened where worlds are open, refused where they are fixed. */
const OPENED = "opened";

const all = (what: string) => HEADERS.map(() => what);

/** Worlds that everything that the default world made means: forks inherited it. */
const INHERITED = ["sandbox", "sandbox", "here", "there", "own", OPENED, NO_NAME];
const MADE_HERE = ["here", CONFLICT, "here", CONFLICT, CONFLICT, CONFLICT, NO_NAME];
const MADE_THERE = ["there", CONFLICT, CONFLICT, "there", CONFLICT, CONFLICT, NO_NAME];
const NAMES_HERE = ["here", CONFLICT, "here", CONFLICT, CONFLICT, CONFLICT, CONFLICT];
const except = (cell: string, at: (typeof HEADERS)[number]) =>
  HEADERS.map((header) => (header === null || header === at ? cell : CONFLICT));

/**
 * The world that each credential means on the platform, or its refusal. `here` and `there` are
 * forks of the default world; `own` is one with the client id `acme`, `plus` one with `a+b`.
 */
const PLATFORM: Record<string, readonly string[]> = {
  "start token": ["sandbox", "sandbox", "here", "there", CONFLICT, OPENED, NO_NAME],
  "start token in here": NAMES_HERE,
  "start token in sandbox": except("sandbox", "sandbox"),
  "start token in own": except(WRONG, "own"),
  "start token in new": except(OPENED, "new"),
  "start token in UPPER": except(NO_NAME, "UPPER"),
  "start token in here+there": all(WRONG),
  "API token of sandbox": INHERITED,
  "API token of sandbox in here": NAMES_HERE,
  "API token of sandbox in new": except(OPENED, "new"),
  "API token of here": MADE_HERE,
  "API token of here in here": NAMES_HERE,
  "API token of here in there": except(WRONG, "there"),
  "API token of here in new": all(CONFLICT),
  "API token of there": MADE_THERE,
  "token id of sandbox": INHERITED,
  "token id of sandbox in here": NAMES_HERE,
  "token id of here": MADE_HERE,
  "token id of here in here": NAMES_HERE,
  "client id of own": ["own", CONFLICT, CONFLICT, CONFLICT, "own", CONFLICT, NO_NAME],
  "client id with a plus": ["plus", ...all(CONFLICT).slice(1, -1), NO_NAME],
  "agent of sandbox": INHERITED,
  "agent of here": MADE_HERE,
  "device code of sandbox": INHERITED,
  "device code of here": MADE_HERE,
  "unknown device code": all("404 REFERENCE_NOT_FOUND"),
  "no credentials": all(WRONG),
  "wrong secret": all(WRONG),
  "wrong secret in here": all(WRONG),
  "wrong secret in new": all(WRONG),
  "wrong secret in UPPER": all(WRONG),
  "wrong secret of an API token": all(WRONG),
  "unknown client id": all(WRONG),
  "no base64": all(WRONG),
  "no colon": all(WRONG),
  "another scheme": all(WRONG),
  "bearer of an API operation": all(WRONG),
  "wrong bearer of an agent": all(WRONG),
  "no bearer of an agent": all(WRONG),
};

const USED = "DEVICE_CODE_ALREADY_REDEEMED";

/** The control surface looks at no credentials, and opens no world. */
const CONTROL = ["sandbox", "sandbox", "here", "there", "own", "404", "404"];

interface Sent {
  authorization?: string;
  method?: string;
  path?: string;
}

describe.each(["open", "fixed"] as const)("where worlds are %s", (worlds) => {
  let world: TestSimulator;
  let credentials: Record<string, Sent>;
  /** Names of the worlds that answered a call. */
  const answered: string[] = [];

  const send = async (url: string, header: string | null, { authorization, method }: Sent = {}) => {
    const headers = {
      ...(authorization !== undefined && { authorization }),
      ...(header !== null && { "x-sim-world": header }),
    };
    answered.length = 0;
    const sent = { method: method ?? "GET", headers };
    const response = await world.sim.fetch(new Request(url, sent));
    const text = await response.text();
    return { status: response.status, text, by: [...answered] };
  };

  const list = async () => {
    const { body } = await world.control("GET", "/worlds");
    return body.data.map(({ name }: { name: string }) => name);
  };

  const within = async (
    name: string,
    [method, path, body]: [method: string, path: string, body?: object],
  ) => {
    const { apiUrl, clientId, clientSecret } = world.sim;
    const response = await world.sim.fetch(
      new Request(apiUrl + path, {
        method,
        headers: {
          authorization: basic(`${clientId}+${name}`, clientSecret),
          "content-type": "application/json",
        },
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
    return { status: response.status, headers: response.headers, body: await response.json() };
  };

  beforeAll(async () => {
    world = await startTestSimulator({
      worlds,
      onActivity: (activity) => {
        if (activity.kind === "request") answered.push(activity.world ?? "sandbox");
      },
    });
    const here: TestSimulator = {
      ...world,
      call: (method, path, body) => within("here", [method, path, body as object]),
    };
    const tokenIn = async ({ call }: TestSimulator) =>
      (await call("POST", "/tokens", { name: "one", permissions: ["VIEW"] })).body;
    const connected = async (one: TestSimulator) => {
      const customer = await one.call("POST", "/customers", { customerType: "INDIVIDUAL" });
      const { deviceCode } = await createAgent(one, customer.body.id);
      const { body } = await one.call("POST", `/agents/device-codes/${deviceCode.code}/redeem`);
      const other = await createAgent(one, customer.body.id);
      return { bearer: body.accessToken as string, code: other.deviceCode.code as string };
    };
    const inSandbox = await tokenIn(world);
    const agentOfSandbox = await connected(world);
    const OWN = [
      { name: "here" },
      { name: "there" },
      { name: "own", clientId: "acme", clientSecret: "s3cret" },
      { name: "plus", clientId: "a+b", clientSecret: "plus" },
    ];
    for (const wish of OWN) expect((await world.control("POST", "/worlds", wish)).status).toBe(201);
    const inHere = await tokenIn(here);
    const agentOfHere = await connected(here);
    const inThere = await tokenIn({
      ...world,
      call: (method, path, body) => within("there", [method, path, body as object]),
    });
    const { clientSecret: secret } = world.sim;
    const by = (user: string, its: string): Sent => ({ authorization: basic(user, its) });
    const start = (suffix: string) => by(`sandbox${suffix}`, secret);
    const of = (token: { clientId: string; clientSecret: string }, suffix = "") =>
      by(token.clientId + suffix, token.clientSecret);
    const idOf = (token: { id: string; clientSecret: string }, suffix = "") =>
      by(token.id + suffix, token.clientSecret);
    const agent = (bearer?: string): Sent => ({
      path: "/agents/me",
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
    });
    const code = (one: string): Sent => ({
      method: "POST",
      path: `/agents/device-codes/${one}/redeem`,
    });
    credentials = {
      "start token": start(""),
      "start token in here": start("+here"),
      "start token in sandbox": start("+sandbox"),
      "start token in own": start("+own"),
      "start token in new": start("+new"),
      "start token in UPPER": start("+UPPER"),
      "start token in here+there": start("+here+there"),
      "API token of sandbox": of(inSandbox),
      "API token of sandbox in here": of(inSandbox, "+here"),
      "API token of sandbox in new": of(inSandbox, "+new"),
      "API token of here": of(inHere),
      "API token of here in here": of(inHere, "+here"),
      "API token of here in there": of(inHere, "+there"),
      "API token of here in new": of(inHere, "+new"),
      "API token of there": of(inThere),
      "token id of sandbox": idOf(inSandbox),
      "token id of sandbox in here": idOf(inSandbox, "+here"),
      "token id of here": idOf(inHere),
      "token id of here in here": idOf(inHere, "+here"),
      "client id of own": by("acme", "s3cret"),
      "client id with a plus": by("a+b", "plus"),
      "agent of sandbox": agent(agentOfSandbox.bearer),
      "agent of here": agent(agentOfHere.bearer),
      "device code of sandbox": code(agentOfSandbox.code),
      "device code of here": code(agentOfHere.code),
      "unknown device code": code("AAAA-AAAA"),
      "no credentials": {},
      "wrong secret": by("sandbox", "wrong"),
      "wrong secret in here": by("sandbox+here", "wrong"),
      "wrong secret in new": by("sandbox+new", "wrong"),
      "wrong secret in UPPER": by("sandbox+UPPER", "wrong"),
      "wrong secret of an API token": by(inHere.clientId, "wrong"),
      "unknown client id": by("nobody+here", secret),
      "no base64": { authorization: "Basic ~~~~" },
      "no colon": { authorization: `Basic ${btoa("sandbox")}` },
      "another scheme": { authorization: "Digest sandbox" },
      "bearer of an API operation": { authorization: `Bearer ${agentOfHere.bearer}` },
      "wrong bearer of an agent": agent("wrong"),
      "no bearer of an agent": agent(),
    };
  });

  afterAll(async () => {
    expect(world.alarms).toEqual([]);
    await world.sim.close();
  });

  /** Removes the world that a call opened, and lets the next call open it again. */
  const removeNew = async () => {
    await world.control("DELETE", "/worlds/new");
    const { worlds: all } = world.sim as unknown as { worlds: { removed: RemovedWorlds } };
    all.removed.forget("new");
  };

  const found = ({ status, text, by }: Awaited<ReturnType<typeof send>>) => {
    const body = text === "" ? {} : JSON.parse(text);
    const { reason, code } = body;
    // A code is redeemed at its first call; the world that says so is the one that was meant.
    const isFound = status < 400 || text.includes(USED);
    if (isFound) return by.join();
    expect(by).toEqual(["sandbox"]);
    return `${status} ${reason ?? code ?? ""}`.trim();
  };

  test("each credential finds its world on the platform", () =>
    everyRow(Object.entries(PLATFORM), async ([name, row]) => {
      const sent = credentials[name];
      expect(sent).toBeDefined();
      const before = await list();
      const cells: string[] = [];
      for (const header of HEADERS) {
        const one = await send(world.sim.apiUrl + (sent?.path ?? "/config"), header, sent);
        cells.push(found(one));
        const after = await list();
        if (after.includes("new")) await removeNew();
        expect(after.filter((each: string) => !before.includes(each))).toEqual(
          cells.at(-1) === "new" ? ["new"] : [],
        );
      }
      const opened = worlds === "open" ? "new" : UNKNOWN;
      expect(cells).toEqual(row.map((cell) => (cell === OPENED ? opened : cell)));
    }));

  test("no credential changes anything on the control surface", () =>
    everyRow(Object.keys(PLATFORM), async (name) => {
      const cells: string[] = [];
      for (const header of HEADERS) {
        const { authorization } = credentials[name] ?? {};
        const sent = authorization === undefined ? {} : { authorization };
        const one = await send(`${world.sim.controlUrl}/clock`, header, sent);
        const query = header === null ? "" : `?world=${header}`;
        const asked = await send(`${world.sim.controlUrl}/clock${query}`, null, sent);
        expect(found(asked)).toBe(found(one));
        cells.push(found(one));
      }
      expect(cells).toEqual(CONTROL);
    }));

  test("every credential has a row", () => {
    expect(Object.keys(credentials)).toEqual(Object.keys(PLATFORM));
  });
});

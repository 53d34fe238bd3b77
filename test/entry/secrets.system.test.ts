import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CONTROL_ENDPOINTS } from "../../src/control/control-surface.ts";
import { GENEROUS } from "../setup/agents.ts";
import { Workplace } from "../setup/cli.ts";
import type { Parsed } from "../setup/test-simulator.ts";
import { basic } from "../setup/tokens.ts";
import { bodyWith, FIELDS } from "./setup/fields.ts";
import { SEED, shareOf } from "./setup/share.ts";

/** A secret of a caller that each member of each body gets; the form alone gives it away. */
const SECRET_OF_OPTION = "a-secret-of-an-option-0815";
const PLANTED = "sk_sim_PLANTED4711field";
const CLIENT_SECRET = "sk_sim_PLANTED4711client";
/** No form gives these away: what they are sent as does. */
const ENDPOINT_PASSWORD = "planted-4711-endpoint-password";
const OTHER_PASSWORD = "planted-4711-other-password";
/** Nothing answers there, so each attempt tells why. */
const endpointWith = (password: string) => `http://hook:${password}@127.0.0.1:9/hooks`;
const WRONG_SECRET = "planted-4711-wrong-secret";
const PRODUCTION = "sk_live_PLANTED4711prod";

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const WEBHOOK_KEY = privateKey.export({ type: "pkcs8", format: "pem" }) as string;

/** The scalar of a key: whoever prints the key in any form prints it. */
const scalarOf = (pem: string) => createPrivateKey(pem).export({ format: "jwk" }).d ?? "";

describe("a simulator that was given secrets", () => {
  let place: Workplace;
  let ready: Parsed;
  /** Everything that can be read of it, by its place. */
  const shown: Record<string, string> = {};
  let secrets: Record<string, string> = {};
  const statuses = new Set<number>();

  const call = async (method: string, path: string, given: Parsed = {}) => {
    const { authorization = basic("sandbox", CLIENT_SECRET), body, headers = {} } = given;
    const response = await fetch(ready.apiUrl + path, {
      method,
      headers: { authorization, "content-type": "application/json", ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    statuses.add(response.status);
    return { status: response.status, text, body: text.startsWith("{") ? JSON.parse(text) : {} };
  };

  const control = async (path: string) => (await fetch(ready.controlUrl + path)).text();

  const plantFields = async () => {
    for (const { method, path, field } of shareOf(FIELDS, 80))
      await call(method, path, { body: bodyWith(field, PLANTED) });
    for (const path of [`/${PLANTED}`, `/quotes/${PLANTED}`, `/quotes?${PLANTED}=1&a=${PLANTED}`])
      await call("GET", path, { headers: { "idempotency-key": PLANTED, "user-agent": PLANTED } });
  };

  const plantOthers = async () => {
    for (const authorization of [
      basic("sandbox", WRONG_SECRET),
      `Bearer ${WRONG_SECRET}`,
      basic("sandbox", PRODUCTION),
      `Bearer ${PRODUCTION}`,
    ]) {
      const { status, text } = await call("POST", "/customers", { authorization, body: {} });
      expect([status, text.includes("4711")]).toEqual([401, false]);
      await call("GET", "/agents/me", { authorization });
    }
    for (const webhookEndpoint of [
      endpointWith(OTHER_PASSWORD),
      `ftp://hook:${OTHER_PASSWORD}@127.0.0.1/`,
      `http://hook:${OTHER_PASSWORD}@169.254.169.254/`,
    ])
      await call("PATCH", "/config", { body: { webhookEndpoint } });
    await call("POST", "/sandbox/webhooks/test");
    const { body: token } = await call("POST", "/tokens", {
      body: { name: "CI", permissions: ["VIEW"] },
    });
    const { body: customer } = await call("POST", "/customers", {
      body: { customerType: "INDIVIDUAL" },
    });
    const { body: made } = await call("POST", "/agents", {
      body: { name: "Bot", customerId: customer.id, policy: GENEROUS },
    });
    const redeem = `/agents/device-codes/${made.deviceCode.code}/redeem`;
    const { body: redeemed } = await call("POST", redeem);
    return {
      "API token's secret": token.clientSecret,
      "device code": made.deviceCode.code,
      "agent's token": redeemed.accessToken,
    };
  };

  const readSurfaces = async () => {
    for (const { method, path, replies } of CONTROL_ENDPOINTS) {
      const isText = replies?.[2] === undefined || replies[2] === "application/json";
      if (method !== "GET" || path.includes("{") || path.includes("wait") || !isText) continue;
      if (path !== "/events") shown[`GET /_sim${path}`] = await control(path);
    }
    const { data } = JSON.parse(await control("/requests?limit=100"));
    for (const { id } of data) shown[`request ${id}`] = await control(`/requests/${id}`);
    for (const path of ["/tokens", "/agents", "/config"])
      shown[`GET ${path}`] = (await call("GET", path)).text;
    for (const words of [
      "webhooks endpoint",
      "env",
      "clock",
      "status",
      "requests",
      "webhooks list",
      "timers",
      "doctor",
      "worlds list",
    ]) {
      const { stdout, stderr } = await place.run(words);
      shown[`service-sim ${words}`] = stdout + stderr;
    }
    const ps = await place.spawn(["ps", "-ww", "-o", "args=", "-p", `${ready.pid}`]).ended;
    shown.ps = ps.stdout;
  };

  const readFiles = (folder: string) => {
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      const file = join(folder, name);
      if (statSync(file).isFile()) shown[`file ${name}`] = readFileSync(file, "latin1");
    }
  };

  const recorded = async (work: () => Promise<void>) => {
    const response = await fetch(`${ready.controlUrl}/capsule`, { method: "POST" });
    const text = response.text();
    await work();
    await fetch(`${ready.controlUrl}/capsule`, { method: "DELETE" });
    shown.capsule = await text;
  };

  beforeAll(async () => {
    place = new Workplace();
    writeFileSync(place.file("key.pem"), WEBHOOK_KEY);
    const words = "start --detach --port 0 --json --webhook-key key.pem";
    const endpoint = ["--webhook-endpoint", endpointWith(ENDPOINT_PASSWORD)];
    const env = { SERVICE_SIM_CLIENT_SECRET: CLIENT_SECRET };
    const started = await place.run([...words.split(" "), ...endpoint], { env });
    ready = JSON.parse(started.stdout);
    shown.start = started.stdout + started.stderr;
    const { controlToken } = place.readJson(".service-sim", "instance.json");
    await recorded(async () => {
      await plantFields();
      secrets = await plantOthers();
    });
    await readSurfaces();
    expect((await place.run("stop")).code).toBe(0);
    readFiles(place.file(".service-sim"));
    Object.assign(secrets, {
      "client secret": CLIENT_SECRET,
      "control token": controlToken,
      "webhook key": scalarOf(WEBHOOK_KEY),
      "secret in a field": PLANTED,
      "password of the endpoint at start": ENDPOINT_PASSWORD,
      "password of an endpoint": OTHER_PASSWORD,
      "wrong secret": WRONG_SECRET,
      "secret of production": PRODUCTION,
    });
  });

  afterAll(() => place.close());

  /** Files that hold secrets on purpose; their owner alone may read them. */
  const OWNERS = /^file (?:worlds\/[\w-]+\/)?(instance|identity|secrets|keys)[\w.-]*$/;
  /** Places that keep what a caller stored, or that the specification names. */
  const KEPT: Readonly<Record<string, RegExp>> = {
    // A record keeps the texts that it was given, and its journal with it.
    "secret in a field":
      /^file (?!service-sim\.log|requests)|^GET \/(_sim\/records|tokens|agents|config)|^capsule$/,
    "device code": /^file (?!service-sim\.log|requests)|^capsule$/,
    "client secret": /^(start|service-sim env)$/,
    // spec/webhooks.md#endpoint-passwords
    "password of the endpoint at start": /^file (?!service-sim\.log|requests)/,
    "password of an endpoint": /^file (?!service-sim\.log|requests)|^GET \/config$/,
    // spec/capsules.md#kept-secrets
    "API token's secret": /^capsule$/,
    "agent's token": /^capsule$/,
  };

  const KINDS = [
    "client secret",
    "control token",
    "webhook key",
    "secret in a field",
    "password of the endpoint at start",
    "password of an endpoint",
    "wrong secret",
    "secret of production",
    "API token's secret",
    "device code",
    "agent's token",
  ];

  test(`has each place to look into, and met every answer (seed ${SEED})`, () => {
    expect(FIELDS.length).toBeGreaterThan(300);
    expect(Object.keys(secrets).sort()).toEqual([...KINDS].sort());
    for (const name of ["ps", "capsule", "file service-sim.log", "GET /_sim/requests"])
      expect([name, (shown[name] ?? "").length > 20]).toEqual([name, true]);
    expect(Object.keys(shown).length).toBeGreaterThan(100);
    expect(shown.ps).toContain("service-sim");
    expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 400, 401, 404]));
    expect(JSON.stringify(shown)).toContain("[redacted]");
  });

  test.each(KINDS)("shows the %s nowhere", (kind) => {
    const secret = (secrets[kind] ?? "").toLowerCase();
    expect(secret.length).toBeGreaterThan(8);
    const encoded = [secret, Buffer.from(`sandbox:${secrets[kind]}`).toString("base64")];
    const found = Object.entries(shown).filter(
      ([name, text]) =>
        !OWNERS.test(name) &&
        !KEPT[kind]?.test(name) &&
        encoded.some((one) => text.toLowerCase().includes(one.toLowerCase())),
    );
    expect(found.map(([name]) => name)).toEqual([]);
  });

  test
    .skipIf(process.platform !== "linux")
    .each([["--client-secret", SECRET_OF_OPTION], [`--client-secret=${SECRET_OF_OPTION}`]])(
    "takes a secret given as %s out of the list of processes",
    async (...option) => {
      const other = new Workplace();
      const words = ["start", "--detach", "--port", "0", "--json", ...option];
      const { pid } = JSON.parse((await other.run(words)).stdout);
      const { stdout } = await other.spawn(["ps", "-ww", "-o", "args=", "-p", `${pid}`]).ended;
      expect(stdout).toContain("--client-secret");
      expect(stdout).not.toContain(SECRET_OF_OPTION);
      expect((await other.run("stop")).code).toBe(0);
      await other.close();
    },
  );

  test("keeps the files that hold secrets for their owner alone", () => {
    const folder = place.file(".service-sim");
    const all = readdirSync(folder, { recursive: true, encoding: "utf8" });
    const owners = all.filter((name) => OWNERS.test(`file ${name}`));
    expect(owners).toContain(join("worlds", "sandbox", "identity.json"));
    for (const name of [...owners, "service-sim.log", "."])
      expect([name, statSync(join(folder, name)).mode & 0o077]).toEqual([name, 0]);
  });
});

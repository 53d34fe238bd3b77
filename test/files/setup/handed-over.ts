import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { newKeyPem } from "../../../src/storage/world/identity.ts";
import { createPayee, createPayer, quoteInput } from "../../setup/platform.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { COLUMNS, PASSPORT, PDF } from "../../setup/uploads.ts";
import type { Counter, HandedOver, Outcome } from "./counter.ts";
import { BRAND, CONFIG, HAR, OPENAPI } from "./good-documents.ts";

/** Statuses of a reply that says what is wrong with a file. */
const REFUSED = [400, 413, 415, 422];

const payment = async (world: TestSimulator) => {
  const payer = await createPayer(world);
  const payee = await createPayee(world, payer.customerId, "003");
  const { body: quote } = await world.call("POST", "/quotes", quoteInput(payer.accountId, payee));
  await world.call("POST", `/quotes/${quote.id}/execute`);
  return payer;
};

/** A capsule of a few calls. */
const capsuleOf = async (): Promise<Buffer> => {
  const world = await startTestSimulator();
  const { url } = await world.sim.listen();
  const recording = await fetch(`${url}/_sim/capsule`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  const text = recording.text();
  await payment(world);
  await world.sim.advance("6m");
  await world.control("DELETE", "/capsule");
  const capsule = Buffer.from(await text);
  await world.sim.close();
  return capsule;
};

/** A coverage file, as a process of a test leaves it. */
const coverageOf = async (counter: Counter): Promise<Buffer> => {
  const folder = join(counter.folder, "written");
  process.env.SERVICE_SIM_COVERAGE_DIR = folder;
  try {
    const world = await startTestSimulator();
    await payment(world);
    await world.sim.close();
  } finally {
    delete process.env.SERVICE_SIM_COVERAGE_DIR;
  }
  const [name = ""] = readdirSync(folder);
  return readFileSync(join(folder, name));
};

const json = (value: unknown) => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);

const fixtureFile = (name: string) => readFileSync(join("fixtures", name));

const CSV = Buffer.from(
  `${COLUMNS.join(",")}\n${COLUMNS.map((column) => (column === "customerType" ? "INDIVIDUAL" : "x")).join(",")}\n`,
);

/** Starts a simulator for as long as a command takes that does nothing. */
const EXEC = ["exec"];
const NOTHING = ["--", process.execPath, "-e", "0"];

const USAGE = [0, 2];
/** Commands that also say that a check or a call did not end well. */
const CHECKED = [0, 1, 2];

/** Files that are read by a command alone. */
const localFiles = async (counter: Counter): Promise<HandedOver[]> => {
  const openapi = json(OPENAPI);
  const pem = Buffer.from(newKeyPem());
  const byCommand = (name: string, words: (file: string) => readonly string[]) =>
    counter.byCommand(name, words);
  await counter.run(["passkey", "create", "--challenge", "cmVnaXN0ZXItYWRh", "--key", "made.json"]);
  await counter.run(["keys", "create", "--out", "keys.json"]);
  const made = (name: string) => readFileSync(join(counter.folder, name));
  counter.write("own.json", openapi);
  const own = join(counter.folder, "own.json");
  const har = counter.write("own.har", json(HAR));
  const keys = {
    keys: [
      {
        kty: "EC",
        crv: "P-256",
        x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
        y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
        kid: "1",
      },
    ],
  };
  const onText = { isText: true, codes: USAGE };
  return [
    {
      name: "brand",
      good: json(BRAND),
      form: "json",
      ...onText,
      take: byCommand("b.json", (file) => ["brand", file]),
    },
    {
      name: "OpenAPI document",
      good: openapi,
      form: "json",
      isText: true,
      codes: CHECKED,
      take: byCommand("o.json", (file) => ["conform", file, "--traffic", har]),
    },
    {
      name: "HAR file",
      good: json(HAR),
      form: "json",
      isText: true,
      codes: CHECKED,
      take: byCommand("t.har", (file) => ["conform", own, "--traffic", file]),
    },
    {
      name: "lines of traffic",
      good: Buffer.from(
        `${JSON.stringify({ method: "GET", path: "/customers", status: 200, response: {} })}\n`,
      ),
      isText: true,
      codes: CHECKED,
      take: byCommand("t.jsonl", (file) => ["conform", own, "--traffic", file]),
    },
    {
      name: "key file",
      good: made("keys.json"),
      form: "json",
      ...onText,
      take: byCommand("k.json", (file) => ["sign", "pay 5", "--key", file]),
    },
    {
      name: "passkey file",
      good: made("made.json"),
      form: "json",
      ...onText,
      take: byCommand("p.json", (file) => [
        "passkey",
        "assert",
        "--challenge",
        "c2lnbi1pbg",
        "--key",
        file,
      ]),
    },
    {
      name: "public key",
      good: Buffer.from(counter.world.sim.webhookPublicKey),
      ...onText,
      codes: [1, 2],
      take: byCommand("k.pem", (file) => [
        "webhooks",
        "doctor",
        "--key",
        file,
        "--header",
        "x",
        "--body",
        har,
        "--url",
        counter.url,
      ]),
    },
    {
      name: "webhook key",
      good: pem,
      ...onText,
      take: byCommand("w.pem", (file) => [...EXEC, "--webhook-key", file, ...NOTHING]),
    },
    {
      name: "certificates",
      good: Buffer.from(`${rootCertificates.slice(0, 3).join("\n")}\n`),
      ...onText,
      take: byCommand("a.pem", (file) => [...EXEC, "--webhook-ca", file, ...NOTHING]),
    },
    {
      name: "JWKS",
      good: json(keys),
      form: "json",
      ...onText,
      take: byCommand("j.json", (file) => [...EXEC, "--oidc-jwks", file, ...NOTHING]),
    },
    {
      name: "config",
      good: json(CONFIG),
      form: "json",
      ...onText,
      take: async (bytes) => {
        const folder = mkdtempSync(join(counter.folder, "config-"));
        writeFileSync(join(folder, "service-sim.config.json"), bytes);
        return counter.run([...EXEC, ...NOTHING], folder);
      },
    },
    {
      name: "fixture of a start",
      good: fixtureFile("worlds/agent-demo.json"),
      form: "json",
      ...onText,
      take: byCommand("f.json", (file) => [...EXEC, "--fixture", file, ...NOTHING]),
    },
    {
      name: "coverage file",
      good: await coverageOf(counter),
      form: "json",
      isText: true,
      codes: [0, 1],
      take: async (bytes) => {
        const folder = mkdtempSync(join(counter.folder, "coverage-"));
        writeFileSync(join(folder, "1.json"), bytes);
        return counter.run(["coverage", "--dir", folder]);
      },
    },
    {
      name: "capsule",
      good: await capsuleOf(),
      form: "capsule",
      isText: true,
      codes: [0, 1, 2, 4],
      take: byCommand("r.capsule", (file) => ["replay", file]),
    },
  ];
};

/** Reads of a world whose state was taken in. */
const READS = [
  "/config",
  "/customers",
  "/customers/internal-accounts",
  "/customers/external-accounts",
  "/transactions",
  "/tokens",
];

const upload = (bytes: Buffer, fields: Record<string, string>, name: string) => {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  form.append("file", new Blob([Uint8Array.from(bytes)]), name);
  return { body: form };
};

/** Files that a simulator takes. */
const sentFiles = async (counter: Counter): Promise<HandedOver[]> => {
  const { world, url } = counter;
  const { customerId } = await payment(world);
  await world.control("PUT", "/snapshots/s");
  const snapshot = Buffer.from((await world.control("GET", "/snapshots/s/export")).body);
  const importText = (bytes: Buffer) =>
    counter.send("POST", "/_sim/snapshots/import", {
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ file: bytes.toString(), name: "in" }),
    });
  const loaded = async (bytes: Buffer): Promise<Outcome> => {
    const taken = await importText(bytes);
    if (taken.code !== 201) return taken;
    const made = await counter.send("POST", "/_sim/worlds", {
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "opened", from: "snapshot:in" }),
    });
    const headers = { "x-sim-world": "opened" };
    const reads: Outcome[] = [made];
    try {
      // Each answer is compared with the OpenAPI document too.
      for (const path of made.code === 201 ? READS : []) {
        const { status: code, body } = await world.raw("GET", path, { headers });
        reads.push({ code, says: JSON.stringify(body) });
      }
    } finally {
      await counter.send("DELETE", "/_sim/worlds/opened", {});
    }
    const worst = reads.find(({ code }) => code >= 400);
    return worst ? { code: 500, says: `taken in, and then ${worst.says}` } : taken;
  };
  const byCommand = (name: string, words: (file: string) => readonly string[]) =>
    counter.byCommand(name, words);
  const at = ["--url", url];
  return [
    {
      name: "snapshot",
      good: snapshot,
      form: "snapshot",
      isText: true,
      codes: [201, 400],
      take: loaded,
    },
    {
      name: "snapshot of a command",
      good: snapshot,
      form: "snapshot",
      isText: true,
      codes: USAGE,
      take: byCommand("s.snapshot", (file) => ["snapshot", "import", file, ...at]),
    },
    {
      name: "fixture",
      good: fixtureFile("worlds/empty.json"),
      form: "json",
      isText: true,
      codes: CHECKED,
      take: byCommand("x.json", (file) => ["seed", file, ...at]),
    },
    {
      name: "scenario",
      good: fixtureFile("scenarios/payout.json"),
      form: "json",
      isText: true,
      codes: CHECKED,
      take: byCommand("y.json", (file) => ["run", file, ...at]),
    },
    {
      name: "body of a call",
      good: json({ customerType: "INDIVIDUAL", fullName: "Zoë" }),
      form: "json",
      isText: true,
      codes: CHECKED,
      take: byCommand("c.json", (file) => [
        "api",
        "POST",
        "/customers",
        "--data",
        `@${file}`,
        ...at,
      ]),
    },
    {
      name: "body over HTTP",
      good: json({ customerType: "INDIVIDUAL" }),
      form: "json",
      isText: true,
      codes: [201, ...REFUSED],
      take: (bytes) =>
        counter.send("POST", "/customers", {
          headers: { "content-type": "application/json" },
          body: Uint8Array.from(bytes),
        }),
    },
    {
      name: "document",
      good: Buffer.from(PDF),
      isText: false,
      codes: [201, ...REFUSED],
      take: (bytes) =>
        counter.send(
          "POST",
          "/documents",
          upload(bytes, { documentHolder: customerId, ...PASSPORT }, "passport.pdf"),
        ),
    },
    {
      name: "bulk file",
      good: CSV,
      isText: true,
      codes: [202, ...REFUSED],
      take: (bytes) =>
        counter.send("POST", "/customers/bulk/csv", upload(bytes, {}, "customers.csv")),
    },
  ];
};

/** Every file that a user may hand over. */
export const handedOver = async (counter: Counter): Promise<HandedOver[]> => [
  ...(await sentFiles(counter)),
  ...(await localFiles(counter)),
];

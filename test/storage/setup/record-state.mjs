// Records a state directory and an exported snapshot for recorded-states.slow.test.ts:
//   npm run build && node test/storage/setup/record-state.mjs <format>
// Run it once when a format has landed, and keep the files: they are never recorded again.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { createSimulator } from "../../../dist/simulator.mjs";

const [format] = process.argv.slice(2);
const out = new URL("recorded/", import.meta.url).pathname;
const directory = mkdtempSync(join(tmpdir(), "service-sim-recorded-"));

// A window of 16 MiB finds the files that worlds and snapshots share.
const params = { [constants.BROTLI_PARAM_LGWIN]: 24 };
const keep = (name, text) => writeFileSync(join(out, name), brotliCompressSync(text, { params }));

const sim = await createSimulator({
  storage: `file:${directory}`,
  seed: "1",
  now: "2026-01-05T09:00:00Z",
  clock: "manual",
  fixture: "payouts-demo",
});

const control = async (method, path, body) => {
  const headers = {
    authorization: `Bearer ${sim.controlToken}`,
    "content-type": "application/json",
  };
  const asked = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  return (await sim.fetch(new Request(sim.controlUrl + path, asked))).text();
};

const createCustomer = async (fullName, user) => {
  const authorization = `Basic ${btoa(`${user}:${sim.clientSecret}`)}`;
  const headers = { authorization, "content-type": "application/json" };
  const body = JSON.stringify({ customerType: "INDIVIDUAL", fullName });
  await sim.fetch(new Request(`${sim.apiUrl}/customers`, { method: "POST", headers, body }));
};

mkdirSync(out, { recursive: true });
await createCustomer("Ada Byron", "sandbox");
await control("PUT", "/snapshots/paid");
await control("POST", "/worlds", { name: "refunds" });
await createCustomer("Only There", "sandbox+refunds");
await sim.advance("1m");
await control("POST", "/clock/rewind", { by: "30s" });
keep(`snapshot-${format}.br`, await control("GET", "/snapshots/paid/export"));
await sim.close();

const files = readdirSync(directory, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && !entry.name.startsWith("lock."))
  .map(({ parentPath, name }) => join(parentPath, name))
  .sort()
  .map((path) => [path.slice(directory.length + 1), readFileSync(path, "utf8")]);
keep(`format-${format}.json.br`, JSON.stringify(Object.fromEntries(files)));
rmSync(directory, { recursive: true });

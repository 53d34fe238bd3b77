import { writeFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { readConfigFile } from "../../../src/cli/frame/config-file.ts";
import { benchPerTest } from "../setup/place-per-test.ts";

const place = benchPerTest();

const OPTIONS = '{ storage: "memory:", seed: 7, clock: "manual", now: "2026-01-05T09:00:00Z" }';

const configure = (text: string, name = "service-sim.config.json") =>
  writeFileSync(place().file(name), text);

test.each([
  {
    name: "service-sim.config.json",
    text: '{"storage":"memory:","seed":7,"clock":"manual","now":"2026-01-05T09:00:00Z"}',
  },
  { name: "service-sim.config.js", text: `export default ${OPTIONS};` },
  {
    name: "service-sim.config.ts",
    text: `const options: object = ${OPTIONS};\nexport default options;`,
  },
])("start takes its options from $name", async ({ name, text }) => {
  configure(text, name);
  writeFileSync(place().file("package.json"), '{"type":"module"}');
  const { control } = await place().start();
  expect((await control("GET", "/status")).body).toMatchObject({
    seed: "7",
    now: "2026-01-05T09:00:00.000Z",
    clock: { mode: "manual" },
    storage: { url: "memory:" },
  });
});

test("a config file names beginnings of credentials of production", async () => {
  configure('{"productionPrefix":"acme_live_,acme_key_"}');
  const { ready } = await place().start();
  for (const secret of ["acme_live_1", "acme_key_1"]) {
    const authorization = `Basic ${btoa(`sandbox:${secret}`)}`;
    const reply = await fetch(`${ready.apiUrl}/config`, { headers: { authorization } });
    expect(await reply.json()).toMatchObject({ reason: "PRODUCTION_CREDENTIALS" });
  }
});

test.each([
  { env: {}, flag: "", seed: "file" },
  { env: { SERVICE_SIM_SEED: "env" }, flag: "", seed: "env" },
  { env: {}, flag: "--seed flag", seed: "flag" },
  { env: { SERVICE_SIM_SEED: "env" }, flag: "--seed flag", seed: "flag" },
])("with a seed in the file, $env and the flags $flag it is $seed", async ({ env, flag, seed }) => {
  configure('{"seed":"file"}');
  const { control } = await place().start(flag, { env });
  expect((await control("GET", "/status")).body).toMatchObject({ seed });
});

const DOCTOR = "service-sim doctor    shows each option and its source";
const HELP = "service-sim start --help    lists the options";
const CORRECT = "correct or remove service-sim.config.json";

test.each([
  { text: '{"bogus":1}', found: "unknown option bogus", next: HELP },
  { text: "[]", found: "it is not an object of options", next: CORRECT },
  { text: "null", found: "it is not an object of options", next: CORRECT },
  { text: '{"seed":["a"]}', found: "seed is not text, a number or a boolean", next: CORRECT },
  // A detached start would read it again and detach again, without end.
  { text: '{"detach":true}', found: "unknown option detach", next: HELP },
])("a config file with $text exits 2 and says so", async ({ text, found, next }) => {
  configure(text);
  expect(await place().run("start --port 0")).toEqual({
    code: 2,
    signal: null,
    stdout: "",
    stderr: `error  cannot use service-sim.config.json: ${found}\nnext   ${next}\n`,
  });
});

test.each([
  {
    text: '{"crypto":"sometimes"}',
    says: 'crypto * to be one of both, magic-only, strict but found "sometimes"',
  },
  // A switch that took any text for "no" would turn off a requested setting.
  { text: '{"fsync":"true"}', says: 'fsync * to be true or false but found "true"' },
  { text: '{"fsync":1}', says: 'fsync * to be true or false but found "1"' },
  { text: '{"seed":true}', says: "seed * to be text or a number but found true" },
])("a value that does not fit its option exits 2: $text", async ({ text, says }) => {
  configure(text);
  const { code, stderr } = await place().run("start --port 0");
  const sentence = says.replace("*", `of ${place().file("service-sim.config.json")}`);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: `error  Expected ${sentence}\nnext   ${DOCTOR}\n`,
  });
});

test.each([
  { throws: 'throw new Error("boom\\nand more");', found: /^boom$/ },
  { throws: "throw null;", found: /^null$/ },
  { throws: 'throw "a text";', found: /^a text$/ },
  { throws: "throw { code: 7 };", found: /^\[object Object\]$/ },
  { throws: 'import "nowhere";', found: /^Cannot find package 'nowhere'/ },
  { throws: "await Promise.reject(new TypeError());", found: /^$/ },
])("a config file that does $throws exits 2 with its words", async ({ throws, found }) => {
  configure(throws, "service-sim.config.js");
  writeFileSync(place().file("package.json"), '{"type":"module"}');
  const { code, stdout, stderr } = await place().run("start --port 0");
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  const [error = "", ...rest] = stderr.split("\n");
  const start = "error  cannot use service-sim.config.js: an error: ";
  expect(error.slice(0, start.length)).toBe(start);
  expect(error.slice(start.length)).toMatch(found);
  expect(rest).toEqual(["next   correct or remove service-sim.config.js", ""]);
});

test("a config file that is no program exits 2 with the words of Node", async () => {
  configure("export default {", "service-sim.config.js");
  writeFileSync(place().file("package.json"), '{"type":"module"}');
  const { code, stderr } = await place().command("start --port 0").ended;
  expect(code).toBe(2);
  expect(stderr).toMatch(/^error {2}cannot use service-sim\.config\.js: an error: Unexpected /);
});

test("a config file that never comes to its end is given ten seconds", async () => {
  configure("await new Promise(() => {});", "service-sim.config.js");
  writeFileSync(place().file("package.json"), '{"type":"module"}');
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const reading = readConfigFile(place().path, ["seed"]);
    const refused = expect(reading).rejects.toThrow(
      "cannot use service-sim.config.js: an error: no result within 10s",
    );
    await vi.advanceTimersByTimeAsync(10_000);
    await refused;
  } finally {
    vi.useRealTimers();
  }
});

test("doctor tells of a broken config file, and of everything else", async () => {
  configure("{");
  const { code, stdout, stderr } = await place().run("doctor", { env: { SERVICE_SIM_PORT: "0" } });
  expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
  expect(stdout).toContain("✓ node ");
  expect(stdout).toMatch(/\n✗ settings {2}cannot use service-sim\.config\.json: it is not JSON: /);
  expect(stdout).toContain("\nport     0                  SERVICE_SIM_PORT\n");
});

test("a wrong value that nobody typed is traced to where it stands", async () => {
  configure('{"now":"yesterday"}');
  const found =
    'error  Expected --now to be an instant like 2026-01-05T09:00:00Z but found "yesterday"\n';
  const help = "next   service-sim start --help\n";
  const { stderr } = await place().run("start --port 0");
  expect(stderr).toBe(`${found}${help}       ${DOCTOR}\n`);
  configure("{}");
  const typed = await place().run("start --port 0 --now yesterday", {
    // Variables of a shell that evaluated the output of `env`.
    env: { SERVICE_SIM_CLIENT_ID: "sandbox", SERVICE_SIM_CLIENT_SECRET: "sk_sim_1" },
  });
  expect(typed.stderr).toBe(found + help);
});

test("exec reads it also when the command behind -- is asked for its help", async () => {
  configure('{"seed":"file"}');
  const show = `
    const reply = await fetch(process.env.SERVICE_SIM_URL + "/_sim/status");
    console.log((await reply.json()).seed, ...process.argv.slice(2));
  `;
  writeFileSync(place().file("show.mjs"), show);
  for (const more of ["--help", "--version", "-h", "--json"]) {
    const { code, stdout } = await place().run(["exec", "--", "node", "show.mjs", more]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `file ${more}\n` });
  }
});

test("a config file that is broken exits 2, but does not keep help away", async () => {
  configure("{");
  for (const words of ["status", "exec -- true"])
    expect(await place().run(words)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^error {2}cannot use service-sim\.config\.json: it is not JSON: /,
      ),
    });
  expect(await place().run("status --help")).toMatchObject({ code: 0 });
});

test("the port of a start is not the port of webhooks receive", async () => {
  configure('{"port":"auto"}');
  const receiving = place().command("webhooks receive --json");
  // Another program of this machine may have port 3000, which is said then.
  const said = await Promise.race([receiving.firstLine(), receiving.ended]);
  await receiving.kill();
  expect(JSON.stringify(said)).toContain("3000");
});

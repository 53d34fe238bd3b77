import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { placePerTest } from "./place-per-test.ts";

const place = placePerTest();

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

const DOCTOR = "next   service-sim doctor    shows each option and where it comes from\n";

test.each([
  { text: '{"bogus":1}', found: "to give options but found no option named bogus" },
  { text: "[]", found: "to give options but found no object" },
  {
    text: '{"seed":["a"]}',
    found: "to give options but found seed that is no text, number or boolean",
  },
  // A detached start would read it again and detach again, without end.
  { text: '{"detach":true}', found: "to give options but found no option named detach" },
])("a config file with $text exits 2 and says so", async ({ text, found }) => {
  configure(text);
  expect(await place().run("start --port 0")).toEqual({
    code: 2,
    signal: null,
    stdout: "",
    stderr: `error  Expected service-sim.config.json ${found}\n${DOCTOR}`,
  });
});

test("a value that is none of the choices exits 2", async () => {
  configure('{"clock":"sometimes"}');
  const { code, stderr } = await place().run("start --port 0");
  const path = place().file("service-sim.config.json");
  const sentence = `Expected clock of ${path} to be one of real, manual but found "sometimes"`;
  expect({ code, stderr }).toEqual({ code: 2, stderr: `error  ${sentence}\n${DOCTOR}` });
});

test("a config file that is broken exits 2, but does not keep help away", async () => {
  configure("{");
  expect(await place().run("status")).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /^error {2}Expected service-sim\.config\.json to give options but found an error: /,
    ),
  });
  expect(await place().run("status --help")).toMatchObject({ code: 0 });
});

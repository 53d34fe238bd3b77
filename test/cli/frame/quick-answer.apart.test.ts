import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { helpTable } from "../../../src/cli/help-table.ts";
import { SERVICE_SIM, Workplace } from "../../setup/cli.ts";

const place = new Workplace();
afterAll(() => place.close());

const BUILT_TABLE = join(SERVICE_SIM, "..", "..", "dist", "help.json");

test("the build has the help of the sources", async () => {
  expect(JSON.parse(readFileSync(BUILT_TABLE, "utf8"))).toEqual(await helpTable());
});

/** Fails as soon as the program is loaded. */
const NOTHING_LOADED = `
const Module = require("node:module");
const load = Module._load;
Module._load = (request, ...rest) => {
  if (/cli\\.cjs|code-cache|chunks/.test(request)) throw new Error("loaded " + request);
  return load(request, ...rest);
};
`;

test.each(["--version", "--help", "start --help", "help webhooks list"])(
  "%s prints without loading the program",
  async (line) => {
    const words = line.split(" ");
    const preload = place.file("nothing-loaded.cjs");
    await place.shell(`cat > '${preload}' <<'END'\n${NOTHING_LOADED}\nEND`);
    const ended = await place.run(words, { env: { NODE_OPTIONS: `--require=${preload}` } });
    const usually = await place.run(["--json", ...words]);
    const wanted = words[0] === "--version" ? "0.1.0\n" : usually.stdout;
    expect(ended).toMatchObject({ code: 0, stdout: wanted, stderr: "" });
  },
);

test("a full disk under a quick answer is told", async () => {
  const ended = await place.shell("service-sim --version > /dev/full");
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain("error  cannot write the whole answer: ENOSPC");
});

test("a reader that closed the pipe is no error", async () => {
  const ended = await place.shell("service-sim --help | true; service-sim --help | head -1");
  expect(ended).toMatchObject({
    code: 0,
    stdout: "Usage: service-sim [options] [command]\n",
    stderr: "",
  });
});

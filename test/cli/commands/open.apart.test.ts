import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter } from "node:path";
import { describe, expect, test } from "vitest";
import { waitUntil } from "../../setup/cli.ts";
import { benchPerTest } from "../setup/place-per-test.ts";

const place = benchPerTest();

/** An `xdg-open` first on the path, which writes down what it is asked to open. */
const fakeOpener = (exitCode = 0, program = "xdg-open") => {
  const folder = place().file("fake");
  mkdirSync(folder, { recursive: true });
  const opened = place().file("opened.txt");
  const script = `#!/bin/sh\necho "$@" >> '${opened}'\nexit ${exitCode}\n`;
  writeFileSync(`${folder}/${program}`, script);
  chmodSync(`${folder}/${program}`, 0o755);
  return {
    env: { PATH: `${folder}${delimiter}${process.env.PATH}` },
    opened: () => (existsSync(opened) ? readFileSync(opened, "utf8").trim().split("\n") : []),
  };
};

describe.skipIf(process.platform !== "linux")("a page in the browser", () => {
  test("start --open shows the console once it is served", async () => {
    const { env, opened } = fakeOpener();
    const started = place().command("start --open --port 0 --storage memory: --json", { env });
    await waitUntil("the page to be opened", () => opened().length > 0);
    const [page = ""] = opened();
    expect(page).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/_sim\/console\/$/);
    expect((await fetch(page)).status).toBe(200);
    expect((await started.kill()).code).toBe(0);
    expect(opened()).toHaveLength(1);
  });

  test("start --detach --open opens it once, and docs --open another page", async () => {
    const { env, opened } = fakeOpener();
    const { code, stderr } = await place().run("start --detach --open --port 0", { env });
    expect([code, stderr]).toEqual([0, expect.not.stringContaining("no browser")]);
    const { url } = place().readJson(".service-sim", "instance.json");
    expect((await place().run("docs --open", { env })).code).toBe(0);
    expect((await place().run("docs quotes#expiry --open", { env })).code).toBe(0);
    expect((await place().run("docs executeQuote --open", { env })).code).toBe(0);
    await place().run("stop", { env });
    expect(opened()).toEqual([
      `${url}/_sim/console/`,
      `${url}/_sim/console/#/reference`,
      `${url}/_sim/console/#/spec/quotes?at=expiry`,
      `${url}/_sim/console/#/spec/quotes?at=execution`,
    ]);
  });

  test("where no browser opens, the reason and the address are told", async () => {
    const { env } = fakeOpener(3);
    const { code, stderr } = await place().run("start --detach --open --port 0", { env });
    expect(code).toBe(0);
    const { url } = place().readJson(".service-sim", "instance.json");
    const failure = "no browser was opened (xdg-open found no browser); the page is";
    expect(stderr).toContain(`${failure} ${url}/_sim/console/`);
    const page = `${failure} ${url}/_sim/console/#/reference`;
    const asked = await place().run("docs --open", { env });
    expect([asked.code, asked.stderr]).toEqual([1, expect.stringContaining(page)]);
    await place().run("stop", { env });
  });

  test("Linux within Windows opens the browser of Windows", async () => {
    const { env, opened } = fakeOpener(0, "cmd.exe");
    await place().start();
    const { url } = place().readJson(".service-sim", "instance.json");
    const asked = await place().run("docs --open", { env: { ...env, WSL_DISTRO_NAME: "Ubuntu" } });
    expect([asked.code, opened()]).toEqual([0, [`/c start  ${url}/_sim/console/#/reference`]]);
  });

  test("where the program is missing too", async () => {
    const { code, stderr } = await place().run("docs --open --url http://127.0.0.1:9");
    expect([code, stderr]).toEqual([3, expect.stringContaining("no simulator is running")]);
    const empty = place().file("none");
    mkdirSync(empty);
    const env = { PATH: empty };
    await place().start();
    const told = await place().run("docs --open", { env });
    expect(told.stderr).toContain("no browser was opened (xdg-open is not installed)");
  });
});

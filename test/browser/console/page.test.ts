import { readdirSync, readFileSync, statSync } from "node:fs";
import { brotliDecompressSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";

/** Bytes of all files of the console as they are sent, and of those of its first view. */
const MOST_BYTES = { all: 250_000, first: 190_000, fonts: 60_000 };

const FOLDER = "dist/console";

const sizeOf = (names: readonly string[]) =>
  names.reduce((total, name) => total + statSync(`${FOLDER}/${name}`).size, 0);

describe("the files of the console", () => {
  let world: TestSimulator;
  let url: string;

  beforeAll(async () => {
    world = await startTestSimulator();
    ({ url } = await world.sim.listen());
  });

  afterAll(() => world.sim.close());

  // spec/console.md#page
  test("the page may run its own files alone, and stands in no other page", async () => {
    const reply = await fetch(`${url}/_sim/console/`);
    expect(reply.status).toBe(200);
    const policy = reply.headers.get("content-security-policy") ?? "";
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "font-src 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ])
      expect(policy).toContain(part);
    expect(reply.headers.get("x-content-type-options")).toBe("nosniff");
    expect(reply.headers.get("cache-control")).toBe("no-cache");
    const html = await reply.text();
    expect(html).not.toMatch(/<script(?![^>]*src=)|style="/);
    expect(Buffer.byteLength(html)).toBeLessThan(3000);
  });

  test("a file is sent as it is packed, or unpacked for those who cannot, and kept for good", async () => {
    const html = await (await fetch(`${url}/_sim/console/`)).text();
    const [, script = ""] = /src="([^"]+\.js)"/.exec(html) ?? [];
    const whole = await fetch(url + script, { headers: { "accept-encoding": "identity" } });
    expect(whole.headers.get("content-encoding")).toBeNull();
    expect(whole.headers.get("cache-control")).toContain("immutable");
    const packed = readFileSync(`${FOLDER}/${script.split("/").at(-1)}.br`);
    expect(await whole.text()).toBe(brotliDecompressSync(packed).toString("utf8"));
    const sent = await fetch(url + script, { headers: { "accept-encoding": "gzip, br" } });
    expect(sent.headers.get("content-encoding")).toBe("br");
    expect(Number(sent.headers.get("content-length"))).toBe(packed.length);
  });

  // decisions/typefaces.md
  test("fonts are files of its own, small, kept for good, and asked for with the page", async () => {
    const names = readdirSync(FOLDER).filter((name) => name.endsWith(".woff2"));
    expect(names).toHaveLength(3);
    expect(sizeOf(names)).toBeLessThan(MOST_BYTES.fonts);
    const html = await (await fetch(`${url}/_sim/console/`)).text();
    const preloaded = [...html.matchAll(/rel="preload" href="\/_sim\/console\/([^"]+)"/g)];
    for (const [, name = ""] of preloaded) expect(names).toContain(name);
    expect(preloaded).toHaveLength(2);
    const reply = await fetch(`${url}/_sim/console/${names[0]}`);
    expect(reply.headers.get("content-type")).toBe("font/woff2");
    expect(reply.headers.get("content-encoding")).toBeNull();
    expect(reply.headers.get("cache-control")).toContain("immutable");
    expect(
      Buffer.from(await reply.arrayBuffer())
        .subarray(0, 4)
        .toString(),
    ).toBe("wOF2");
  });

  test.each(["nothing.js", "..%2fcli.cjs", "index.html", "none.woff2"])(
    "%s is no file of it",
    async (name) => {
      expect((await fetch(`${url}/_sim/console/${name}`)).status).toBe(404);
    },
  );

  test("they are small", () => {
    const files = readdirSync(FOLDER);
    expect(sizeOf(files)).toBeLessThan(MOST_BYTES.all);
    const isFirst = (name: string) => !/^views-/.test(name);
    expect(sizeOf(files.filter(isFirst))).toBeLessThan(MOST_BYTES.first);
    const names = files.filter((name) => name.endsWith(".br"));
    // Shapes would triple what we wrote: the tables that the page reads stand apart from them.
    for (const name of names)
      expect(brotliDecompressSync(readFileSync(`${FOLDER}/${name}`)).includes("ZodError")).toBe(
        false,
      );
    // The same by gzip, which is what most budgets count.
    const zipped = names.reduce(
      (total, name) =>
        total + gzipSync(brotliDecompressSync(readFileSync(`${FOLDER}/${name}`))).length,
      0,
    );
    expect(zipped + sizeOf(files.filter((name) => !name.endsWith(".br")))).toBeLessThan(
      MOST_BYTES.all,
    );
  });
});

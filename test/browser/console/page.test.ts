import { readdirSync, readFileSync, statSync } from "node:fs";
import { brotliDecompressSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";

/** Bytes of all files of the console as they are sent, and of those of its first view. */
const MOST_BYTES = { all: 250_000, first: 190_000 };

const FOLDER = "dist/console";

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

  test.each(["nothing.js", "..%2fcli.cjs", "index.html"])("%s is no file of it", async (name) => {
    expect((await fetch(`${url}/_sim/console/${name}`)).status).toBe(404);
  });

  test("they are small", () => {
    const names = readdirSync(FOLDER);
    const sizes = new Map(names.map((name) => [name, statSync(`${FOLDER}/${name}`).size]));
    const sum = (wanted: (name: string) => boolean) =>
      [...sizes].reduce((total, [name, size]) => total + (wanted(name) ? size : 0), 0);
    expect(sum(() => true)).toBeLessThan(MOST_BYTES.all);
    expect(sum((name) => !name.startsWith("later-"))).toBeLessThan(MOST_BYTES.first);
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
    expect(zipped).toBeLessThan(MOST_BYTES.all);
  });
});

import { request } from "node:https";
import { expect, test } from "vitest";
import { documentOf } from "../../setup/cli.ts";
import { benchPerTest } from "../setup/place-per-test.ts";

const place = benchPerTest();

/** The status of a GET over https, with any certificate. */
const securely = (url: string, headers: Record<string, string> = {}) =>
  new Promise<number | undefined>((resolve, reject) => {
    const sent = request(url, { rejectUnauthorized: false, agent: false, headers });
    sent.on("error", reject);
    sent.on("response", (response) => resolve(response.resume().statusCode));
    sent.end();
  });

test("start --https answers over https, also its own commands", async () => {
  const { ready, started } = await place().startProcess("--https --storage memory:");
  const { apiUrl, controlUrl, port, pid, clientId, clientSecret } = ready;
  expect({ apiUrl, controlUrl, pid }).toEqual({
    apiUrl: `https://127.0.0.1:${port}/2025-10-13`,
    controlUrl: `https://127.0.0.1:${port}/_sim`,
    pid: started.pid,
  });
  const authorization = `Basic ${btoa(`${clientId}:${clientSecret}`)}`;
  expect(await securely(`${apiUrl}/config`, { authorization })).toBe(200);
  expect(await securely(`${apiUrl}/config`)).toBe(401);

  const status = await place().run("status");
  expect(status).toMatchObject({ code: 0, stderr: "" });
  expect(status.stdout).toContain(`(real time), https://127.0.0.1:${port}\n`);
  expect(await place().run("advance 6m")).toMatchObject({ code: 0 });
  expect(documentOf(await place().run("wait --json"))).toMatchObject({ ready: true });
  expect(await place().run("stop")).toMatchObject({ code: 0 });
  expect(await started.ended).toMatchObject({ code: 0 });
});

test("a start on the port of an https one names it", async () => {
  const { ready } = await place().start("--https --storage memory:");
  const { port, pid } = ready;
  const ended = await place().run(`start --json --port ${port}`, { folder: "other" });
  expect(ended).toMatchObject({ code: 4 });
  expect(documentOf(ended).error).toMatchObject({
    code: "PORT_TAKEN",
    message: `port ${port} is in use by service-sim, pid ${pid}`,
    details: { port, pid },
  });
});

test.each(["--https", "--qr"])("a taken port exits 4 also with %s", async (option) => {
  const { ready } = await place().start("--storage memory:");
  const { port } = ready;
  const ended = await place().run(`start ${option} --port ${port}`, { folder: "other" });
  expect(ended).toMatchObject({ code: 4, stdout: "" });
  expect(ended.stderr).toContain(`${port}`);
});

test("start --qr prints the address and serves it", async () => {
  const started = place().command("start --qr --port 0 --storage memory:");
  await started.printed("Ctrl-C stops it");
  const { url } = place().readJson(".service-sim", "instance.json");
  expect((await fetch(`${url}/_sim/ready`)).status).toBe(200);
  const { code, stdout } = await started.kill();
  expect(code).toBe(0);
  expect(stdout.slice(0, stdout.indexOf("ready in"))).toContain(`${url}/`);
});

test("start --qr prints a QR code where another machine could use it", async () => {
  const started = place().command("start --qr --port 0 --host 0.0.0.0 --storage memory:");
  await started.printed("Ctrl-C stops it");
  const { code, stdout } = await started.kill();
  expect(code).toBe(0);
  expect(stdout).toMatch(/[█▀▄ ]{20}/);
});

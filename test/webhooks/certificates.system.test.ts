import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as tls from "node:tls";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { attemptDelivery } from "../../src/webhooks/attempt.ts";
import { WebhookTargets } from "../../src/webhooks/targets.ts";
import { runInProcess, startInProcess } from "../cli/setup/in-process.ts";
import { until } from "../runtime/setup/turns.ts";
import { startTestSimulator } from "../setup/test-simulator.ts";

const isMissing = spawnSync("openssl", ["version"]).status !== 0;

let folder: string;
const certificates: Record<string, { key: string; cert: string }> = {};

const openssl = (...words: string[]) =>
  execFileSync("openssl", words, { cwd: folder, stdio: "pipe" });

/** A certificate for a host that signs itself. */
const make = (name: string, host: string, days: string) => {
  const form = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const names = ["-subj", `/CN=${host}`, "-addext", `subjectAltName=DNS:${host}`];
  const files = ["-keyout", `${name}.key`, "-out", `${name}.pem`];
  openssl("req", "-x509", ...form, ...files, "-days", days, ...names);
  const [key, cert] = ["key", "pem"].map((end) =>
    readFileSync(join(folder, `${name}.${end}`), "utf8"),
  );
  certificates[name] = { key: key ?? "", cert: cert ?? "" };
};

describe.skipIf(isMissing)("certificates of receivers, made by openssl", () => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "certificates-"));
    make("own", "localhost", "2");
    make("other", "other.example", "2");
    make("third", "third.example", "2");
    make("fourth", "fourth.example", "2");
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const listen = async (name: string) => {
    let requests = 0;
    const server = createServer(certificates[name] ?? {}, (request, response) => {
      requests += 1;
      request.resume().on("end", () => response.end("ok"));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    });
    const url = `https://localhost:${(server.address() as AddressInfo).port}/`;
    return { url, requests: () => requests };
  };

  const attempt = (
    url: string,
    given: { ca?: string; isInsecure?: boolean; wayOut?: string } = {},
  ) => {
    const { ca, isInsecure = false, ...wayOut } = given;
    const targets = new WebhookTargets({ isLoopback: () => true, isInsecure });
    return attemptDelivery({
      url,
      body: Buffer.from("{}"),
      headers: {},
      timeoutMs: 60_000,
      ca,
      targets,
      ...wayOut,
    });
  };

  // spec/webhooks.md#certificates
  test("a certificate of a receiver's own fails the attempt, which names the options", async () => {
    const { url, requests } = await listen("own");
    expect((await attempt(url)).error).toBe(
      "DEPTH_ZERO_SELF_SIGNED_CERT: the receiver's certificate is self-signed; trust it with " +
        "--webhook-ca <file>, or start with --insecure-webhooks for receivers on loopback",
    );
    expect(requests()).toBe(0);
  });

  test("it is trusted by its PEM, over one connection, and by that PEM alone", async () => {
    const { url, requests } = await listen("own");
    const { own, other } = certificates;
    const targets = new WebhookTargets({ isLoopback: () => true });
    const send = (ca?: string) =>
      attemptDelivery({
        url,
        body: Buffer.from("{}"),
        headers: {},
        timeoutMs: 60_000,
        ca,
        targets,
      });
    expect(await send(own?.cert)).toMatchObject({ httpStatus: 200 });
    expect(await send(own?.cert)).toMatchObject({ httpStatus: 200 });
    // Another world's certificates do not share its connection.
    expect(await send(other?.cert)).toMatchObject({ error: expect.stringMatching(/SELF_SIGNED/) });
    expect(await send()).toMatchObject({ error: expect.stringMatching(/SELF_SIGNED/) });
    expect(requests()).toBe(2);
  });

  const listsThem = "getCACertificates" in tls;

  test.skipIf(listsThem)("those of NODE_EXTRA_CA_CERTS count beside a world's own", async () => {
    const { url } = await listen("own");
    const { own, third, fourth } = certificates;
    const file = join(folder, "extra.pem");
    writeFileSync(file, Buffer.from(`\uFEFF${own?.cert}`, "utf16le"));
    onTestFinished(() => void vi.unstubAllEnvs());
    for (const unreadable of [folder, join(folder, "none.pem"), join(folder, "own.key"), ""]) {
      vi.stubEnv("NODE_EXTRA_CA_CERTS", unreadable);
      // Beside each text the authorities are read once.
      const ca = `${fourth?.cert}\n#${unreadable}`;
      expect((await attempt(url, { ca })).error).toMatch(/^DEPTH_ZERO_SELF_SIGNED_CERT: /);
    }
    vi.stubEnv("NODE_EXTRA_CA_CERTS", file);
    expect(await attempt(url, { ca: third?.cert ?? "" })).toMatchObject({ httpStatus: 200 });
  });

  test("webhooks listen --ca trusts the second place by a PEM file", async () => {
    const { url, requests } = await listen("own");
    const world = await startTestSimulator({ webhookEndpoint: "http://127.0.0.1:1/" });
    onTestFinished(() => world.sim.close());
    const { url: simulator } = await world.sim.listen();
    const words = ["webhooks", "listen", "--forward-to", url, "--json", "--url", simulator];
    const running = await startInProcess([...words, "--ca", join(folder, "own.pem")]);
    const { body } = await world.control("POST", "/webhooks/trigger", { type: "TEST" });
    await until("the second place to accept it", async () => {
      const told = await world.control("GET", `/webhooks/${body.id}`);
      return told.body.state === "ACCEPTED";
    });
    expect((await running.stop()).stdout).toContain('"forwarded":1,"taken":1');
    expect(requests()).toBe(1);
    const wrong = ["webhooks", "listen", "--forward-to", url, "--url", simulator, "--ca"];
    const { code, stderr } = await runInProcess([...wrong, join(folder, "none.pem")]);
    expect(code).toBe(2);
    expect(stderr).toContain(
      `--ca: cannot read the PEM file ${join(folder, "none.pem")}: no such file`,
    );
    const plain = ["webhooks", "listen", "--forward-to", "http://127.0.0.1:1/", "--ca"];
    expect((await runInProcess([...plain, join(folder, "own.pem")])).stderr).toContain(
      '--ca is for an https URL but --forward-to is "http://127.0.0.1:1/"',
    );
    expect((await attempt(url, { wayOut: "trust it with --ca <file>" })).error).toBe(
      "DEPTH_ZERO_SELF_SIGNED_CERT: the receiver's certificate is self-signed; trust it with --ca <file>",
    );
  });

  test("a certificate for another host is refused even if it is trusted", async () => {
    const { url, requests } = await listen("other");
    const { error } = await attempt(url, { ca: certificates.other?.cert ?? "" });
    expect(error).toMatch(/^ERR_TLS_CERT_ALTNAME_INVALID: .* was issued for another host; /);
    expect(requests()).toBe(0);
  });

  test("on loopback any certificate will do, if the start says so", async () => {
    for (const name of ["own", "other"]) {
      const { url } = await listen(name);
      expect(await attempt(url, { isInsecure: true })).toMatchObject({ httpStatus: 200 });
    }
  });

  test("beyond loopback the certificate counts although the start takes any", () => {
    const trust = new WebhookTargets({ isLoopback: () => true, isInsecure: true }).trustIn(
      undefined,
    );
    const taken = ["127.0.0.1", "::1", "::ffff:127.0.0.1", "10.0.0.5", "8.8.8.8", "unknown"].filter(
      (address) => trust.takesAny(address),
    );
    expect(taken).toEqual(["127.0.0.1", "::1", "::ffff:127.0.0.1"]);
  });

  test("a world keeps its certificates, shows their names, and gives them up", async () => {
    const { url } = await listen("own");
    const world = await startTestSimulator({ webhookEndpoint: url });
    onTestFinished(() => world.sim.close());
    expect(await world.call("POST", "/sandbox/webhooks/test")).toMatchObject({
      body: { details: { why: expect.stringMatching(/^DEPTH_ZERO_SELF_SIGNED_CERT: /) } },
    });

    const put = (ca: string | null) => world.control("PUT", "/webhooks/ca", { ca });
    const pem = certificates.own?.cert ?? "";
    const { status, body } = await put(`\uFEFF${pem.replaceAll("\n", "\r\n")}`);
    expect(status).toBe(200);
    expect(body.certificates).toMatchObject([{ subject: "CN=localhost" }]);
    expect(await world.call("POST", "/sandbox/webhooks/test")).toMatchObject({
      body: { response_status: 200 },
    });
    expect((await world.control("GET", "/webhooks/ca")).body).toEqual(body);
    expect(JSON.stringify((await world.call("GET", "/config")).body)).not.toContain("CERTIFICATE");

    expect(await put("no certificate")).toMatchObject({
      status: 400,
      body: { error: { code: "INVALID_INPUT", message: "Expected certificates as PEM in ca" } },
    });
    expect((await put(null)).body).toEqual({ certificates: [] });
    expect(await world.call("POST", "/sandbox/webhooks/test")).toMatchObject({
      body: { code: "WEBHOOK_DELIVERY_ERROR" },
    });
  });

  test("an option that has no certificate is refused without a word of it", async () => {
    const key = certificates.own?.key ?? "";
    await expect(startTestSimulator({ webhookCa: key })).rejects.toThrow(
      "Expected webhookCa to be certificates as PEM but found no readable certificate",
    );
  });
});

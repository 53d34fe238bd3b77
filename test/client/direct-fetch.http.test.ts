import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { fetchDirectly } from "../../src/client/direct-fetch.ts";
import { idTokenKeys, jwksSourceOf } from "../../src/control/id-token-keys.ts";

let server: Server;
let origin: string;

beforeEach(async () => {
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      if (request.url === "/none") return response.writeHead(204).end();
      if (request.url === "/never") return;
      if (request.url === "/jwks") return response.end('{"keys":[{"kty":"EC","kid":"one"}]}');
      response.writeHead(201, { "set-cookie": ["a=1", "b=2"], "x-sent": "yes" });
      response.end(`${request.method} ${request.headers["x-mine"]} ${Buffer.concat(parts)}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

test("the JWKS of this machine is fetched without the proxies of the environment", async () => {
  vi.stubEnv("NODE_USE_ENV_PROXY", "1");
  vi.stubGlobal("fetch", () => Promise.reject(new Error("it went to the proxy")));
  try {
    const source = (host: string) =>
      idTokenKeys({
        keyPem: "",
        issuer: () => "https://own.example",
        sources: [jwksSourceOf(`https://idp.example=http://${host}/jwks`)],
      });
    const port = new URL(origin).port;
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`]) {
      const { keys, problem } = await source(host).keysFor("https://idp.example", true);
      expect([keys, problem]).toEqual([[{ kty: "EC", kid: "one" }], undefined]);
    }
    const far = await source("keys.example").keysFor("https://idp.example", true);
    expect(far.problem).toContain("it went to the proxy");
  } finally {
    vi.unstubAllEnvs();
    vi.unstubAllGlobals();
  }
});

describe.each([false, true])("with proxies: %s, a call to this machine", (hasProxies) => {
  test("gives the answer with its headers, and sends the body", async () => {
    const request = new Request(`${origin}/any`, {
      method: "POST",
      headers: { "x-mine": "mine" },
      body: "a body",
    });
    const answer = await fetchDirectly(request, hasProxies);
    expect(answer.status).toBe(201);
    expect(answer.headers.get("x-sent")).toBe("yes");
    expect(answer.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(await answer.text()).toBe("POST mine a body");
  });

  test("takes an answer without a body", async () => {
    const answer = await fetchDirectly(new Request(`${origin}/none`), hasProxies);
    expect([answer.status, answer.body]).toEqual([204, null]);
  });

  test("can be given up", async () => {
    const request = new Request(`${origin}/never`, { signal: AbortSignal.timeout(20) });
    await expect(fetchDirectly(request, hasProxies)).rejects.toThrow();
  });

  test("fails as fetch does where nothing listens", async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await expect(fetchDirectly(new Request(origin), hasProxies)).rejects.toThrow(TypeError);
  });
});

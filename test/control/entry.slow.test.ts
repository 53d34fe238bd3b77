import { describe, expect, test } from "vitest";
import { wantsPages } from "../../src/http/message/accept.ts";
import { VERSION } from "../../src/version.ts";
import { controlProblemIn } from "../setup/openapi-check.ts";
import { startTestSimulator } from "../setup/test-simulator.ts";

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

const withWorld = async (
  run: (
    get: (path: string, headers?: Record<string, string>, method?: string) => Promise<Response>,
    url: string,
  ) => Promise<void>,
  host = "127.0.0.1",
) => {
  const { sim, alarms } = await startTestSimulator({ host });
  const { port } = await sim.listen({ host });
  const url = `http://127.0.0.1:${port}`;
  try {
    await run(
      (path, headers = {}, method = "GET") =>
        fetch(url + path, { method, headers, redirect: "manual" }),
      url,
    );
    expect(alarms).toEqual([]);
  } finally {
    await sim.close();
  }
};

describe.each(["/", "/_sim", "/_sim/"])("GET %s", (path) => {
  test("leads a browser to the console", () =>
    withWorld(async (get) => {
      const reply = await get(path, { accept: BROWSER });
      expect(reply.status).toBe(302);
      expect(reply.headers.get("location")).toBe("/_sim/console/");
      expect(reply.headers.get("vary")).toBe("accept");
      expect(await reply.text()).toBe("");
    }));

  test.each(["*/*", "application/json", "text/html;q=0.5, application/json"])(
    "tells the addresses to a client that accepts %s",
    (accept) =>
      withWorld(async (get, url) => {
        const reply = await get(path, { accept });
        expect(reply.status).toBe(200);
        expect(reply.headers.get("vary")).toBe("accept");
        const body = await reply.json();
        expect(body).toEqual({
          name: "service-sim",
          version: VERSION,
          apiUrl: `${url}/2025-10-13`,
          console: `${url}/_sim/console/`,
          docs: `${url}/_sim/docs`,
          openapi: `${url}/_sim/openapi.json`,
          controlOpenapi: `${url}/_sim/control-openapi.json`,
          ready: `${url}/_sim/ready`,
          status: `${url}/_sim/status`,
        });
        expect(
          controlProblemIn()({ method: "GET", path: "/" }, { status: 200, body }),
        ).toBeUndefined();
        const { apiUrl: _platform, name: _name, version: _version, ...pages } = body;
        for (const page of Object.values(pages as Record<string, string>))
          expect((await fetch(page)).status, page).toBe(200);
      }),
  );
});

test.each([
  { path: "/", accept: "*/*", status: 200, type: "application/json" },
  { path: "/", accept: BROWSER, status: 302, type: null },
  { path: "/_sim/ready", accept: "*/*", status: 200, type: "application/json" },
  { path: "/_sim/docs", accept: BROWSER, status: 302, type: null },
  { path: "/_sim/docs", accept: "*/*", status: 200, type: "application/json" },
  {
    path: "/_sim/docs/spec/quotes",
    accept: "*/*",
    status: 200,
    type: "text/markdown; charset=utf-8",
  },
  { path: "/_sim/openapi.json", accept: "*/*", status: 200, type: "application/json" },
  { path: "/favicon.ico", accept: "*/*", status: 200, type: "image/svg+xml" },
  { path: "/_sim/events", accept: "*/*", status: 200, type: "text/event-stream" },
  { path: "/_sim/docs/nope", accept: "*/*", status: 404, type: "application/json" },
])("HEAD $path says what GET does, to a client of $accept", ({ path, accept, status, type }) =>
  withWorld(async (get) => {
    const reply = await get(path, { accept }, "HEAD");
    expect([reply.status, reply.headers.get("content-type")]).toEqual([status, type]);
    expect(await reply.text()).toBe("");
    if (status !== 200 || path === "/_sim/events" || path === "/_sim/ready") return;
    const whole = await (await get(path, { accept })).text();
    expect(reply.headers.get("content-length")).toBe(`${Buffer.byteLength(whole)}`);
  }),
);

test.each(["/_sim", "/_sim/"])("DELETE %s is answered with the methods that it takes", (path) =>
  withWorld(async (get) => {
    const reply = await get(path, {}, "DELETE");
    expect([reply.status, reply.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    expect((await reply.json()).error.message).toBe("/ does not take DELETE");
  }),
);

test("the origin has no other operation: what is unknown keeps its answer", () =>
  withWorld(async (get) => {
    for (const [path, method] of [
      ["/", "POST"],
      ["/customers", "GET"],
      ["//", "GET"],
    ] as const) {
      const reply = await get(path, { accept: BROWSER }, method);
      expect(reply.status, `${method} ${path}`).toBe(404);
      expect(await reply.json()).toMatchObject({ code: "REFERENCE_NOT_FOUND" });
    }
    const platform = await get("/2025-10-13/", { accept: BROWSER });
    expect([platform.status, (await platform.json()).code]).toEqual([404, "REFERENCE_NOT_FOUND"]);
  }));

test("beyond loopback the addresses and the documents are told to anyone", () =>
  withWorld(async (get) => {
    expect((await get("/")).status).toBe(200);
    expect((await get("/favicon.ico")).status).toBe(200);
    expect((await get("/_sim/docs", { accept: BROWSER })).status).toBe(302);
    expect((await get("/_sim/docs/spec/quotes")).status).toBe(200);
    expect((await get("/_sim/status", {}, "HEAD")).status).toBe(401);
  }, "0.0.0.0"));

test.each(["/favicon.ico", "/_sim/favicon.svg"])("%s is an icon", (path) =>
  withWorld(async (get) => {
    const reply = await get(path, { "sec-fetch-dest": "image" });
    expect(reply.status).toBe(200);
    expect(reply.headers.get("content-type")).toBe("image/svg+xml");
    expect(reply.headers.get("cache-control")).toBe("max-age=86400");
    expect(await reply.text()).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  }),
);

test.each([
  { accept: BROWSER, pages: true },
  { accept: "text/html", pages: true },
  { accept: "application/json, text/html", pages: true },
  { accept: "application/json;q=1, text/html;q=0.9", pages: false },
  { accept: "TEXT/HTML; q=0.3", pages: true },
  { accept: "text/html;q=0", pages: false },
  { accept: "text/*", pages: false },
  { accept: "*/*", pages: false },
  { accept: "", pages: false },
])("a client that accepts “$accept” wants pages: $pages", ({ accept, pages }) => {
  expect(wantsPages(accept)).toBe(pages);
});

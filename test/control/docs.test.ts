import { describe, expect, test } from "vitest";
import { linkedTopics } from "../../src/control/core/doc-pages.ts";
import { worldPerTest } from "../api/setup/world-per-test.ts";

const world = worldPerTest();

const BROWSER = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

const get = (path: string, headers: Record<string, string> = {}) =>
  world().sim.fetch(new Request(`${world().sim.controlUrl}${path}`, { headers }));

// spec/console.md#documents
describe("a browser is redirected to the console", () => {
  test.each([
    ["/docs", "/_sim/console/#/reference"],
    ["/docs/", "/_sim/console/#/reference"],
    ["/docs/spec/quotes", "/_sim/console/#/spec/quotes"],
    ["/docs/guide/cards", "/_sim/console/#/guides/cards"],
    ["/docs/decisions/biome", "/_sim/console/#/decisions/biome"],
    ["/docs/reference", "/_sim/console/#/guides/reference"],
    ["/docs/quotes", "/_sim/console/#/spec/quotes"],
    ["/docs/quotes?world=a%26b", "/_sim/console/?world=a%26b#/spec/quotes"],
  ])("from %s to %s", async (path, location) => {
    const reply = await get(path, BROWSER);
    expect([reply.status, reply.headers.get("location")]).toEqual([302, location]);
    expect(reply.headers.get("vary")).toBe("accept");
  });

  test("never from a page that is not there", async () => {
    expect((await get("/docs/nope", BROWSER)).status).toBe(404);
  });
});

describe("other clients get Markdown", () => {
  test.each([
    ["quotes", "spec/quotes"],
    ["webhook-lab", "guide/webhook-lab"],
    ["biome", "decisions/biome"],
    ["performance", "performance"],
  ])("/docs/%s is the page %s, as on the command line", async (name, topic) => {
    const reply = await get(`/docs/${name}`);
    expect(reply.status).toBe(200);
    expect(reply.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    expect(reply.headers.get("content-location")).toBe(`/_sim/docs/${topic}`);
    expect(await reply.text()).toBe(await (await get(`/docs/${topic}`)).text());
  });

  test("the text is the page as it is written", async () => {
    expect((await (await get("/docs/spec/quotes")).text()).split("\n")[0]).toBe("# Quotes");
  });

  test.each([
    { path: "/docs/spec/quote", closest: "spec/quotes" },
    { path: "/docs/qoutes", closest: "quotes" },
    { path: "/docs/createQuot", closest: "createQuote" },
    { path: "/docs/spec/..%2Fguide%2Fcards", closest: undefined },
  ])("$path is no page, and the answer says what was close", async ({ path, closest }) => {
    const { status, body } = await world().control("GET", path);
    expect(status).toBe(404);
    expect(body.error).toMatchObject({ code: "DOC_NOT_FOUND" });
    expect(body.error.message).toContain(closest ? `; the closest one is ${closest}` : "is called");
    expect(body.error.next).toEqual(["service-sim docs      lists the pages"]);
  });
});

describe("GET /docs", () => {
  test("lists every page: the specification, then the guide, decisions and the rest", async () => {
    const { body } = await world().control("GET", "/docs");
    const topics: string[] = body.data.map(({ topic }: { topic: string }) => topic);
    const folders = topics.map((topic) => (topic.includes("/") ? topic.split("/")[0] : ""));
    expect([...new Set(folders)]).toEqual(["spec", "guide", "decisions", ""]);
    expect(body.data).toContainEqual({ topic: "spec/quotes", title: "Quotes" });
  });

  test("finds pages with all words of a search, and the section that has them", async () => {
    const { body } = await world().control("GET", "/docs?query=payload%20TO%20sign%20retry");
    expect(body.data.length).toBeGreaterThan(0);
    expect(body.data.length).toBeLessThan(20);
    const titled = (await world().control("GET", "/docs?query=webhook%20lab")).body.data;
    expect(titled[0]).toEqual({ topic: "guide/webhook-lab", title: "Webhook lab" });
    const { data } = (await world().control("GET", "/docs?query=strictly%20before%20expiresAt"))
      .body;
    expect(data).toContainEqual({
      topic: "spec/quotes",
      title: "Quotes",
      heading: "Expiry",
      anchor: "expiry",
    });
  });

  test("finds none with a word that no page has", async () => {
    expect((await world().control("GET", "/docs?query=xyzzyx")).body.data).toEqual([]);
  });
});

test("linked topics are other pages, each once, relative to the folder of the page", () => {
  const text =
    "[a](lookups.md) [b](lookups.md#binding) [own](quotes.md) [here](#expiry)\n" +
    "[up](../guide/cards.md#more) [web](https://example.test/spec/cards.md) [no](nothing.md)";
  expect(linkedTopics({ topic: "spec/quotes", text })).toEqual(["spec/lookups", "guide/cards"]);
});

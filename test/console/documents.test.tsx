import { readdirSync, readFileSync } from "node:fs";
import { marked } from "marked";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import Markdown, { hrefOf } from "../../src/console/reference/markdown.tsx";
import { type Console, ConsoleContext } from "../../src/console/use-console.ts";
import { anchorsOf, docPlace, topicsAt } from "../../src/contract/core/doc-sections.ts";
import { initialWorld } from "../../src/rows/world.ts";

const CONSOLE = {
  store: { subscribe: () => () => {}, world: () => initialWorld(0) },
} as unknown as Console;

const drawn = (text: string, topic = "spec/quotes") =>
  renderToStaticMarkup(
    <ConsoleContext value={CONSOLE}>
      <Markdown text={text} topic={topic} />
    </ConsoleContext>,
  );

const topics = readdirSync("src/docs", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".md"))
  .map((name) => name.slice(0, -".md".length));

const textOf = (topic: string) => readFileSync(`src/docs/${topic}.md`, "utf8");

test("every page has a place of its own, and is found there", () => {
  expect(new Set(topics.map((topic) => docPlace(topic))).size).toBe(topics.length);
  for (const topic of topics) {
    const [, view = "", name = ""] = docPlace(topic).split("/");
    expect(topicsAt(view, name).find((one) => topics.includes(one))).toBe(topic);
  }
});

test("every link within the documents leads to a page, and to a heading of it", () => {
  const anchors = new Map(topics.map((topic) => [docPlace(topic), anchorsOf(textOf(topic))]));
  const dead: string[] = [];
  let count = 0;
  for (const topic of topics)
    marked.walkTokens(marked.lexer(textOf(topic)), (token) => {
      const place = token.type === "link" ? hrefOf(token.href, topic) : undefined;
      if (!place?.startsWith("#")) return;
      count += 1;
      const [path = "", anchor] = place.slice(1).split("?at=");
      const own = anchors.get(path);
      if (!own || (anchor !== undefined && !own.includes(anchor))) dead.push(`${topic}: ${place}`);
    });
  expect(count).toBeGreaterThan(500);
  expect(dead).toEqual([]);
});

test.each(["spec/quotes", "spec/errors", "guide/webhook-lab", "decisions/README"])(
  "%s shows no mark of Markdown, no escaped line end, and an id for each heading",
  (topic) => {
    const markup = drawn(textOf(topic), topic);
    const plain = markup.replace(/<(pre|code)[^>]*>[\s\S]*?<\/\1>/g, "").replace(/<[^>]+>/g, "");
    expect(plain).not.toMatch(/\^J|\]\(|^#{1,4} |\*\*/m);
    const ids = [...markup.matchAll(/<h[23] id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toEqual(anchorsOf(textOf(topic)).slice(1));
  },
);

describe("Markdown as elements", () => {
  test.each([
    [
      "a [b](lookups.md#binding)",
      '<p>a <a class="link" href="#/spec/lookups?at=binding">b</a></p>',
    ],
    ["a [b](../guide/cards.md)", '<p>a <a class="link" href="#/guides/cards">b</a></p>'],
    ["a [b](../../../LICENSE.md)", "<p>a b</p>"],
    ["a [b](javascript:alert(1))", "<p>a b</p>"],
    ["`a\\|b` **c** _d_", "<p><code>a\\|b</code> <strong>c</strong> <em>d</em></p>"],
    ["one\ntwo", "<p>one two</p>"],
    ["<b onclick=x>", "<p>&lt;b onclick=x&gt;</p>"],
    ["- a\n- b", "<ul><li>a</li><li>b</li></ul>"],
    ["3. a", '<ol start="3"><li>a</li></ol>'],
    ["> a", "<blockquote><p>a</p></blockquote>"],
    ["## When\u202e", '<h2 id="when" tabindex="-1">When^{202e}</h2>'],
  ])("%j", (text, markup) => {
    expect(drawn(`# Title\n\n${text}`)).toBe(`<div class="prose">${markup}</div>`);
  });

  test("a table has heads, and can be scrolled by the keyboard", () => {
    const markup = drawn("# T\n\n| a | b |\n|---|---|\n| 1 | `2` |");
    expect(markup).toContain('<section class="scroll" tabindex="0" aria-label="Table: a, 1 …">');
    expect(markup).toContain('<th scope="col">a</th>');
    expect(markup).toContain("<td><code>2</code></td>");
  });

  test("code can be copied", () => {
    const markup = drawn("# T\n\n```sh\na &&\n  b\n```");
    expect(markup).toContain("a &amp;&amp;\n  b</pre>");
    expect(markup).toContain(">Copy</button>");
  });
});

test("a link to elsewhere stays as it is", () => {
  expect(hrefOf("https://example.test/a.md", "spec/quotes")).toBe("https://example.test/a.md");
  expect(hrefOf("../screen.svg", "guide/watching")).toBeUndefined();
});

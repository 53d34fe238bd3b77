import { expect, test } from "vitest";
import { linkedTopics } from "../../../src/control/docs-page/doc-pages.ts";

test("linked topics are other pages, each once, relative to the folder of the page", () => {
  const text =
    "[a](lookups.md) [b](lookups.md#binding) [own](quotes.md) [here](#expiry)\n" +
    "[up](../guide/cards.md#more) [web](https://example.test/spec/cards.md) [no](nothing.md)";
  expect(linkedTopics({ topic: "spec/quotes", text })).toEqual(["spec/lookups", "guide/cards"]);
});

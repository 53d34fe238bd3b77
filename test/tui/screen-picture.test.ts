import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { pictureOf } from "./setup/screen-picture.ts";
import { SCREEN_FILE, screenPicture } from "./setup/write-screen.ts";

test("the guide's picture shows the screen as it is", () => {
  const says = `${SCREEN_FILE} is stale; renew it by: npm run screen`;
  expect(readFileSync(SCREEN_FILE, "utf8"), says).toBe(screenPicture());
});

test("the guide shows the picture", () => {
  expect(readFileSync("src/docs/guide/watching.md", "utf8")).toContain("](../screen.svg)");
});

test("a picture keeps text in its cells, draws rules as lines and escapes markup", () => {
  const picture = pictureOf([[{ text: "━━ a <b> & c  ✓", look: "green" }]], 20);
  expect(picture).toContain('<path d="M16 25.5H32.8"');
  expect(picture).toContain('textLength="75.6"');
  expect(picture).toContain(">a &lt;b&gt; &amp; c</text>");
  expect(picture).toContain(">✓</text>");
});

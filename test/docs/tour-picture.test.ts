import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { walkDemo } from "../../src/cli/tasks/demo-walk.ts";
import { TOUR_FILE, tourPicture } from "./setup/tour-picture.ts";

test("the README's moving picture shows what the demo does", async () => {
  const says = `${TOUR_FILE} is stale; renew it by: npm run build && npm run screen`;
  expect(readFileSync(TOUR_FILE, "utf8"), says).toBe(tourPicture(await walkDemo()));
});

test("the README shows it, and it stands still for readers who want no motion", () => {
  expect(readFileSync("README.md", "utf8")).toContain(`](${TOUR_FILE})`);
  const picture = readFileSync(TOUR_FILE, "utf8");
  expect(picture).toContain("prefers-reduced-motion:no-preference");
  // The demo's lines are what stays then.
  expect(picture.match(/\{opacity:1\}@media/g)).toHaveLength(14);
});

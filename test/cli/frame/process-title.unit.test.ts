import { expect, test } from "vitest";
import { titleWithoutSecrets } from "../../../src/cli/frame/process-title.ts";

test.each([
  [
    ["node", "service-sim", "start", "--client-secret", "abc"],
    "node service-sim start --client-secret …",
  ],
  [
    ["node", "service-sim", "start", "--client-secret=abc", "--port", "0"],
    "node service-sim start --client-secret=… --port 0",
  ],
  [["node", "service-sim", "start", "--client-secret"], undefined],
  [["node", "service-sim", "start", "--client-id", "abc"], undefined],
])("the title of %j is %j", (words, title) => {
  expect(titleWithoutSecrets(words)).toBe(title);
});

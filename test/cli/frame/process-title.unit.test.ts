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
  [
    ["node", "service-sim", "start", "--storage", "postgres://sim:abc@127.0.0.1:5432/sim"],
    "node service-sim start --storage postgres://sim:***@127.0.0.1:5432/sim",
  ],
  [
    ["node", "service-sim", "start", "--storage=postgresql://sim:a/b?c@d@127.0.0.1/sim"],
    "node service-sim start --storage=postgresql://sim:***@127.0.0.1/sim",
  ],
  [
    ["node", "service-sim", "store", "check", "postgres://127.0.0.1/sim?user=sim&password=abc"],
    "node service-sim store check postgres://127.0.0.1/sim?user=sim&password=***",
  ],
  [["node", "service-sim", "start", "--storage", "postgres://sim@127.0.0.1/sim"], undefined],
  [["node", "service-sim", "start", "--client-secret"], undefined],
  [["node", "service-sim", "start", "--client-id", "abc"], undefined],
])("the title of %j is %j", (words, title) => {
  expect(titleWithoutSecrets(words)).toBe(title);
});

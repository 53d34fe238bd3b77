import { expect, test } from "vitest";
import { command as listen } from "../../../src/cli/commands/webhooks/listen.ts";
import type { Invocation } from "../../../src/cli/frame/command.ts";
import { simulatorOptions } from "../../../src/cli/frame/simulator-options.ts";
import { Terminal } from "../../../src/cli/text/terminal.ts";

const invoked = (given: Partial<Invocation>) => ({ args: [], options: {}, ...given }) as Invocation;

test.each([
  { from: "flags", given: { lists: { allowWebhookTarget: ["shop", "10.0.0.0/8"] } } },
  { from: "the environment", given: { lists: { allowWebhookTarget: ["shop, 10.0.0.0/8"] } } },
  { from: "a config file", given: { options: { allowWebhookTarget: "shop,10.0.0.0/8" } } },
])("allowed targets come from $from", ({ given }) => {
  expect(
    simulatorOptions(invoked(given), { storage: "memory:", worlds: "fixed" }).allowWebhookTargets,
  ).toEqual(["shop", "10.0.0.0/8"]);
});

test("without the option nothing is said of targets", () => {
  expect(simulatorOptions(invoked({}), { storage: "memory:", worlds: "fixed" })).not.toHaveProperty(
    "allowWebhookTargets",
  );
});

test.each(["http://169.254.169.254/", "http://[::ffff:169.254.169.254]/"])(
  "listen does not forward to %s",
  async (forwardTo) => {
    const terminal = await Terminal.open({ json: true, quiet: false, color: undefined });
    await expect(listen.run(invoked({ options: { forwardTo } }), terminal)).rejects.toThrow(
      `"${forwardTo}" is a link-local or metadata address: not called`,
    );
  },
);

import { expect, test } from "vitest";
import { reachableBy } from "../../../src/cli/frame/reachable-by.ts";

const file = { file: ".service-sim/instance.json" };

test.each(["127.0.0.1", "localhost", "::1", "127.0.0.9"])("%s needs no word", (host) => {
  expect(reachableBy(host, file)).toBeUndefined();
});

test.each([
  { host: "0.0.0.0", who: "anyone who can reach this machine over a network" },
  { host: "::", who: "anyone who can reach this machine over a network" },
  { host: "192.168.1.5", who: "anyone who can reach 192.168.1.5" },
])("$host: $who", ({ host, who }) => {
  expect(reachableBy(host, file)).toBe(
    `${who}; /_sim asks for the controlToken of .service-sim/instance.json`,
  );
  expect(reachableBy(host, { text: "the control token abc" })).toBe(
    `${who}; /_sim asks for the control token abc`,
  );
});

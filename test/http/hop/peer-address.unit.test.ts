import { expect, test } from "vitest";
import { parsePeer } from "../../../src/http/hop/peer-address.ts";

// spec/store.md#hops
test.each([
  { text: "127.0.0.1:4748", host: "127.0.0.1", port: 4748 },
  { text: "sim-2.pay.example:80", host: "sim-2.pay.example", port: 80 },
  { text: "sim_2:65535", host: "sim_2", port: 65_535 },
  { text: "[::1]:4748", host: "::1", port: 4748 },
  { text: "[fe80::1%eth0]:1", host: "fe80::1%eth0", port: 1 },
  { text: "127.0.0.1:0", host: "127.0.0.1", port: 0 },
])("$text is $host at $port", ({ text, host, port }) => {
  expect(parsePeer(text)).toEqual({ host, port });
});

test.each([
  "",
  ":80",
  "sim-2",
  "sim-2:",
  "sim-2:http",
  "sim-2:65536",
  "sim-2:-1",
  "sim-2:80/",
  "http://sim-2:80",
  "sim-2:80:81",
  "::1:80",
  "[::1]",
  "[sim-2]:80",
  "[127.0.0.1]:80",
  "999.0.0.1:80",
  "1.2.3:80",
  " sim-2:80",
  "sim-2:80\n",
  "user@sim-2:80",
])("%j is no address of a process", (text) => {
  expect(parsePeer(text)).toBeUndefined();
});

import { BlockList, isIPv4 } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allowEntryOf, REACHES, reachOf } from "../../../src/contract/core/network-reach.ts";
import { runsOf } from "../../setup/campaign.ts";

describe("an address reaches as far as its range", () => {
  test.each([
    { reach: "forbidden", address: "169.254.169.254" },
    { reach: "forbidden", address: "169.254.0.0" },
    { reach: "forbidden", address: "169.254.255.255" },
    { reach: "forbidden", address: "fe80::1" },
    { reach: "forbidden", address: "fe80::1%eth0" },
    { reach: "forbidden", address: "febf:ffff::1" },
    { reach: "forbidden", address: "fd00:ec2::254" },
    { reach: "forbidden", address: "fd20:ce::254" },
    { reach: "forbidden", address: "100.100.100.200" },
    { reach: "forbidden", address: "168.63.129.16" },
    { reach: "forbidden", address: "::ffff:169.254.169.254" },
    { reach: "forbidden", address: "::ffff:a9fe:a9fe" },
    { reach: "forbidden", address: "[::ffff:a9fe:a9fe]" },
    { reach: "forbidden", address: "::a9fe:a9fe" },
    { reach: "forbidden", address: "64:ff9b::a9fe:a9fe" },
    { reach: "forbidden", address: "2002:a9fe:a9fe::1" },
    { reach: "forbidden", address: "::ffff:0:a9fe:a9fe" },
    { reach: "forbidden", address: "64:ff9b:1::a9fe:a9fe" },
    { reach: "forbidden", address: "2852039166" },
    { reach: "forbidden", address: "0xa9fea9fe" },
    { reach: "forbidden", address: "0251.0376.0251.0376" },
    { reach: "forbidden", address: "169.254.43518" },
    { reach: "loopback", address: "127.0.0.1" },
    { reach: "loopback", address: "127.255.255.254" },
    { reach: "loopback", address: "127.1" },
    { reach: "loopback", address: "0.0.0.0" },
    { reach: "loopback", address: "0" },
    { reach: "loopback", address: "::" },
    { reach: "loopback", address: "::1" },
    { reach: "loopback", address: "::ffff:127.0.0.1" },
    { reach: "private", address: "10.0.0.1" },
    { reach: "private", address: "172.16.0.1" },
    { reach: "private", address: "172.31.255.255" },
    { reach: "private", address: "192.168.1.5" },
    { reach: "private", address: "100.64.0.1" },
    { reach: "private", address: "fc00::1" },
    { reach: "private", address: "fdff::1" },
    { reach: "private", address: "::ffff:10.0.0.1" },
    { reach: "private", address: "64:ff9b::10.0.0.1" },
    { reach: "private", address: "255.255.255.255" },
    { reach: "public", address: "169.253.255.255" },
    { reach: "public", address: "169.255.0.0" },
    { reach: "public", address: "172.32.0.1" },
    { reach: "public", address: "8.8.8.8" },
    { reach: "public", address: "::ffff:8.8.8.8" },
    { reach: "public", address: "2606:4700::1111" },
    { reach: "public", address: "2002:808:808::1" },
  ])("$address: $reach", ({ reach, address }) => expect(reachOf(address)).toBe(reach));
});

test.each(["localhost", "metadata.google.internal", "shop", "", "fe80", "1.2.3.4.5", ":::"])(
  "%j is not an address",
  (name) => expect(reachOf(name)).toBeUndefined(),
);

/** The ranges in Node's own block list, as a second implementation. */
const refereeOf = (ranges: readonly string[]) => {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", prefix] = range.split("/");
    list.addSubnet(address, Number(prefix), isIPv4(address) ? "ipv4" : "ipv6");
  }
  return (address: string) => list.check(address, isIPv4(address) ? "ipv4" : "ipv6");
};

const byReferee = {
  forbidden: refereeOf(REACHES.forbidden),
  private: refereeOf(REACHES.private),
  loopback: refereeOf(REACHES.loopback),
};

const refereed = (address: string) =>
  (["forbidden", "private", "loopback"] as const).find((reach) => byReferee[reach](address)) ??
  "public";

test("every range is read as Node.js reads it", () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect(reachOf(address)).toBe(refereed(address));
      expect(reachOf(`::ffff:${address}`)).toBe(refereed(address));
    }),
    { numRuns: runsOf(2000) },
  );
  const standsAlone = (address: string) => !/^(::|0*:|64:ff9b|2002:)/.test(address);
  fc.assert(
    fc.property(fc.ipV6().filter(standsAlone), (address) => {
      expect(reachOf(address)).toBe(refereed(address));
    }),
    { numRuns: runsOf(2000) },
  );
});

describe("an entry of the allow list", () => {
  test.each([
    { entry: "shop", host: "shop", address: "172.18.0.3", allows: true },
    { entry: "Shop.", host: "shop", address: "172.18.0.3", allows: true },
    { entry: "shop", host: "shop.evil.example", address: "172.18.0.3", allows: false },
    { entry: "10.1.2.3", host: "x", address: "10.1.2.3", allows: true },
    { entry: "10.1.2.3", host: "x", address: "10.1.2.4", allows: false },
    { entry: "172.16.0.0/12", host: "x", address: "172.31.0.1", allows: true },
    { entry: "172.16.0.0/12", host: "x", address: "::ffff:172.31.0.1", allows: true },
    { entry: "172.16.0.0/12", host: "x", address: "10.0.0.1", allows: false },
    { entry: "fd12::/16", host: "x", address: "fd12::9", allows: true },
    { entry: "[::1]", host: "::1", address: "::1", allows: true },
    { entry: "0.0.0.0/0", host: "x", address: "10.0.0.1", allows: true },
  ])("$entry, for $host at $address: $allows", ({ entry, host, address, allows }) => {
    expect(allowEntryOf(entry)?.(host, address)).toBe(allows);
  });

  test.each([
    "",
    "10.0.0.0/33",
    "10.0.0.0/",
    "10.0.0.0/8/8",
    "shop/8",
    "http://shop",
    "a b",
    "169.254.169.254",
    "169.254.0.0/16",
    "::ffff:169.254.1.1",
  ])("%j is none", (entry) => expect(allowEntryOf(entry)).toBeUndefined());
});

import { describe, expect, test } from "vitest";
import {
  endpointAddress,
  passwordsIn,
  shownAddress,
  withoutPasswords,
  withPresentPassword,
} from "../../src/contract/core/endpoint-address.ts";
import { redactJson } from "../../src/http/log/redaction.ts";

// spec/webhooks.md#endpoint-passwords
describe("an address is shown without its password", () => {
  test.each([
    ["http://hook:s3cr3t@127.0.0.1:9/x", "http://hook:***@127.0.0.1:9/x"],
    ["https://:s3cr3t@host.example", "https://:***@host.example"],
    ["http://hook:s3c@r3t@host/", "http://hook:***@host/"],
    ["http://me@corp:s3cr3t@host/", "http://me@corp:***@host/"],
    ["http://hook:s3%40cr3t@[::1]:80/a?b=c@d", "http://hook:***@[::1]:80/a?b=c@d"],
    ["http://hook:s3:cr3t@host/", "http://hook:***@host/"],
    ["http:hook:s3cr3t@host/a", "http://hook:***@host/a"],
    ["http:\\\\hook:s3cr3t@host\\a", "http://hook:***@host/a"],
    ['http://hook:s3"cr3t@host/', "http://hook:***@host/"],
    ["HTTP://hook:s3cr3t@HOST/", "HTTP://hook:***@HOST/"],
    ["http://hook@host/", "http://hook@host/"],
    ["http://hook:@host/", "http://hook:@host/"],
    ["http://host:80/a@b", "http://host:80/a@b"],
  ])("%s as %s", (address, shown) => {
    expect(shownAddress(endpointAddress(address))).toBe(shown);
    const body = JSON.stringify({ webhookEndpoint: address });
    expect(redactJson(body).text).toBe(JSON.stringify({ webhookEndpoint: shown }));
  });

  test.each([
    ['{"a":"http:\\/\\/hook:s3cr3t@h\\/x"}', '{"a":"http://hook:***@h/x"}'],
    ['{"a":"http:\\u002f\\u002fhook:s3cr3t\\u0040h"}', '{"a":"http://hook:***@h"}'],
    ['{"a":"found http://hook:s3cr3t@h, x@y"}', '{"a":"found http://hook:***@h, x@y"}'],
    ['{"a":"http://hook:s3cr3t@h/cut', '{"a":"http://hook:***@h/cut'],
  ])("in a body: %s", (body, shown) => {
    expect(redactJson(body)).toEqual({ text: shown, secrets: ["s3cr3t"] });
  });

  test("a mail and a text with a colon stay", () => {
    const text = "ada@example.com: see https://a.example/@ada and b@c";
    expect(withoutPasswords(text)).toBe(text);
    expect(passwordsIn(text)).toEqual([]);
  });

  test("long texts of beginnings are searched in one go", () => {
    for (const piece of ["://", "://a:", ":/", "://:@", ":\\/\\/a:"])
      expect(passwordsIn(`${piece.repeat(100_000)}`).length).toBeLessThan(100_001);
  });
});

describe("an endpoint that repeats what was shown keeps its password", () => {
  const present = endpointAddress("http://hook:s3cr3t@127.0.0.1:9/x");
  test.each([
    ["http://hook:***@127.0.0.1:9/x", "http://hook:s3cr3t@127.0.0.1:9/x"],
    ["http://hook:***@127.0.0.1:9/y?z", "http://hook:s3cr3t@127.0.0.1:9/y?z"],
    ["http://hook:***@127.0.0.1:8/x", "http://hook:***@127.0.0.1:8/x"],
    ["http://other:***@127.0.0.1:9/x", "http://other:***@127.0.0.1:9/x"],
    ["https://hook:***@127.0.0.1:9/x", "https://hook:***@127.0.0.1:9/x"],
    ["http://hook:new@127.0.0.1:9/x", "http://hook:new@127.0.0.1:9/x"],
    ["http://127.0.0.1:9/x", "http://127.0.0.1:9/x"],
  ])("%s is %s", (sent, kept) => {
    expect(withPresentPassword(sent, present)).toBe(kept);
    expect(withPresentPassword(sent, undefined)).toBe(sent);
  });
});

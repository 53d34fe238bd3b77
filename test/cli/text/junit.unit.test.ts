import { describe, expect, test } from "vitest";
import { annotationLines } from "../../../src/cli/text/annotations.ts";
import { type CheckedCase, junitText } from "../../../src/cli/text/junit.ts";
import { strictXml } from "../../setup/strict-xml.ts";

const HOSTILE = [
  {
    what: "marks of XML",
    text: `<a href="x">&amp; ]]> 'q'</a>`,
    read: `<a href="x">&amp; ]]> 'q'</a>`,
  },
  { what: "lines and tabs", text: "one\ntwo\r\nthree\tfour", read: "one\ntwo\r\nthree\tfour" },
  {
    what: "what XML cannot hold",
    text: "a\u0000b\u001b[31m\ufffe\ud800c",
    read: "a\ufffdb\ufffd[31m\ufffd\ufffdc",
  },
  { what: "other scripts", text: "支払い 🎉 né", read: "支払い 🎉 né" },
  { what: "nothing", text: "", read: "" },
];

describe("JUnit is well-formed whatever the names hold", () => {
  test.each(HOSTILE)("$what", ({ text, read }) => {
    const report = strictXml(
      junitText(text, [
        {
          name: text,
          group: text,
          outcome: "failed",
          says: text,
          lines: [text, text],
          at: { file: text, line: 7 },
        },
        { name: text, group: text, outcome: "passed", lines: [text] },
        { name: text, group: text, outcome: "skipped" },
      ]),
    );
    const [suite] = report.children;
    expect(suite?.attributes).toEqual({
      name: read,
      tests: "3",
      failures: "1",
      errors: "0",
      skipped: "1",
    });
    const [failed, passed, skipped] = suite?.children ?? [];
    expect(failed?.attributes).toEqual({ classname: read, name: read, file: read, line: "7" });
    expect(failed?.children[0]).toMatchObject({ name: "failure", attributes: { message: read } });
    expect(failed?.children[0]?.text).toBe(`${read}\n${read}`);
    expect(passed?.children[0]?.text ?? "").toBe(read);
    expect(skipped?.children).toMatchObject([{ name: "skipped" }]);
  });
});

test.each([
  "<a>",
  "<a></b>",
  "<a/><b/>",
  '<a b="1" b="2"/>',
  "<a b=1/>",
  "<a>&nbsp;</a>",
  "<a>&#1;</a>",
  "<a>\u0001</a>",
  "<a>&</a>",
  '<a b="<"/>',
  "<a>]]></a>",
  "text",
])("the reader of these tests refuses %j", (text) => {
  expect(() => strictXml(`<?xml version="1.0" encoding="UTF-8"?>\n${text}`)).toThrow();
});

const failed = (one: Partial<CheckedCase>): CheckedCase => ({
  name: "step 2",
  group: "shop",
  outcome: "failed",
  ...one,
});

describe("an annotation is one line that GitHub reads as it was meant", () => {
  test.each([
    {
      what: "a place in the checkout",
      one: failed({ says: "status: 404", at: { file: "/repo/e2e/shop.json", line: 7 } }),
      line: "::error file=e2e/shop.json,line=7,title=service-sim run%3A step 2::status: 404",
    },
    {
      what: "a file outside of it",
      one: failed({ says: "status: 404", at: { file: "/tmp/shop.json", line: 7 } }),
      line: "::error title=service-sim run%3A step 2::status: 404",
    },
    {
      what: "lines and percent signs",
      one: failed({ says: "100 %\r\nof it", lines: ["more", "%0A"] }),
      line: "::error title=service-sim run%3A step 2::100 %25%0D%0Aof it%0Amore%0A%250A",
    },
    {
      what: "a name that would begin another command",
      one: failed({ name: "a,b:c\n::set-env::x", says: "\u001b[31mred\u202e" }),
      line: "::error title=service-sim run%3A a%2Cb%3Ac%0A%3A%3Aset-env%3A%3Ax::^[[31mred^{202e}",
    },
  ])("$what", ({ one, line }) => {
    expect(annotationLines("run", [one], "/repo")).toEqual([line]);
  });
});

test("only what failed is annotated", () => {
  const cases = (["passed", "skipped"] as const).map((outcome) => failed({ outcome }));
  expect(annotationLines("run", cases, "/repo")).toEqual([]);
});

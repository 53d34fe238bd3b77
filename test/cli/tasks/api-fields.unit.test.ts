import { expect, test } from "vitest";
import { bodyOfFields, fieldOf, formOfFields } from "../../../src/cli/tasks/api-fields.ts";

const FILES: Record<string, string> = { "policy.json": '{"a":1}', "id.pdf": "%PDF" };

const readFile = async (path: string) => Buffer.from(FILES[path] ?? "");

const bodyOf = (words: readonly string[]) => bodyOfFields(words.map(fieldOf), readFile);

test.each([
  { words: [], body: undefined },
  { words: ["name=Ada Byron"], body: { name: "Ada Byron" } },
  { words: ["name="], body: { name: "" } },
  {
    words: ["a=b=c", "at=$x@y.z", "url=http://x"],
    body: { a: "b=c", at: "$x@y.z", url: "http://x" },
  },
  { words: ["amount=5"], body: { amount: "5" } },
  { words: ["amount:=5", "on:=true", "no:=null"], body: { amount: 5, on: true, no: null } },
  { words: ['list:=["a",1]', 'one:={"a":{}}'], body: { list: ["a", 1], one: { a: {} } } },
  { words: ["policy:=@policy.json"], body: { policy: { a: 1 } } },
  { words: ["a.b=1", "a.c.d=2"], body: { a: { b: "1", c: { d: "2" } } } },
  { words: ["a[b]=1", "a[c][d]=2"], body: { a: { b: "1", c: { d: "2" } } } },
  { words: ["a[0]=x", "a[1]=y"], body: { a: ["x", "y"] } },
  { words: ["a[]=x", "a[]=y"], body: { a: ["x", "y"] } },
  { words: ["a[0].b=1", "a[0].c=2", "a[1].b=3"], body: { a: [{ b: "1", c: "2" }, { b: "3" }] } },
  { words: ["a[].b=1", "a[].c=2", "a[].b=3"], body: { a: [{ b: "1", c: "2" }, { b: "3" }] } },
  { words: ['a:={"b":1}', "a.c=2"], body: { a: { b: 1, c: "2" } } },
])("$words is the body $body", async ({ words, body }) => {
  expect(await bodyOf(words)).toEqual(body);
});

test.each([
  { words: ["name"], says: 'Expected a field like name=value but found "name"' },
  { words: ["Accept: x"], says: 'Expected a field like name=value but found "Accept: x"' },
  { words: ["amount:=five"], says: 'Expected JSON after amount:= but found "five"' },
  { words: ["a[1]=x"], says: 'Expected an index from 0 to 0 but found "a[1]"' },
  {
    words: ["a..b=x"],
    says: 'Expected a path like source.accountId or items[0].name but found "a..b"',
  },
  {
    words: [".a=x"],
    says: 'Expected a path like source.accountId or items[0].name but found ".a"',
  },
  {
    words: ["[0]=x"],
    says: 'Expected a path like source.accountId or items[0].name but found "[0]"',
  },
  {
    words: ["__proto__.a=x"],
    says: 'Expected a path like source.accountId or items[0].name but found "__proto__.a"',
  },
  {
    words: ["a=1", "a.b=2"],
    says: "Expected either object or list fields but found a.b after another form",
  },
  {
    words: ["a.b=1", "a=2"],
    says: "Expected either object or list fields but found a after another form",
  },
  {
    words: ["a.b=1", 'a:={"c":2}'],
    says: "Expected either object or list fields but found a after another form",
  },
  {
    words: ["a.b=1", "a[]=2"],
    says: "Expected either object or list fields but found a[] after another form",
  },
])("$words is refused", async ({ words, says }) => {
  await expect((async () => bodyOf(words))()).rejects.toThrow(says);
});

test.each([
  { word: "limit==5", kind: "query", path: "limit", value: "5" },
  { word: "file@a b.csv", kind: "file", path: "file", value: "a b.csv" },
  { word: "mail=a@b.c", kind: "text", path: "mail", value: "a@b.c" },
])("$word is a field of the $kind", ({ word, kind, path, value }) => {
  expect(fieldOf(word)).toEqual({ kind, path, value });
});

test("a file makes a form, with the text beside it", async () => {
  const fields = ["file@id.pdf", "documentType=PASSPORT"].map(fieldOf);
  const { bytes, type } = await formOfFields(fields, readFile);
  const form = await new Response(Uint8Array.from(bytes), {
    headers: { "content-type": type },
  }).formData();
  const file = form.get("file") as File;
  expect({ name: file.name, text: await file.text() }).toEqual({ name: "id.pdf", text: "%PDF" });
  expect(form.get("documentType")).toBe("PASSPORT");
});

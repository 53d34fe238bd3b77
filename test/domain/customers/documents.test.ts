import { beforeEach, describe, expect, test } from "vitest";
import { Refusal } from "../../../src/domain/core/refusal.ts";
import { createCustomer } from "../../../src/domain/customers/customers.ts";
import {
  createDocument,
  deleteDocument,
  listDocuments,
  replaceDocument,
  submitDocumentsOf,
} from "../../../src/domain/customers/documents.ts";
import {
  DOCUMENT_OUTCOMES,
  documentOutcome,
  fileNameSuffix,
} from "../../../src/domain/outcomes/document-outcomes.ts";
import { PDF, PNG } from "../../setup/uploads.ts";
import { RuleWorld } from "../setup/rule-world.ts";

const HASHES = { one: "1".repeat(64), two: "2".repeat(64) };

let world: RuleWorld;
let holder: string;

beforeEach(() => {
  world = new RuleWorld();
  holder = makeHolder("a");
});

const makeHolder = (name: string) => {
  const body = { customerType: "BUSINESS", umaAddress: `$${name}@pay.example` } as const;
  return world.run(createCustomer, { body }).id;
};

const form = (fileName = "id.pdf") => ({
  file: { fileName, bytes: PDF },
  documentHolder: holder,
  documentType: "PASSPORT" as const,
  country: "MX",
});

const make = (sha256 = HASHES.one) => world.run(createDocument, { body: form(), sha256 }).id;

const refusedWith = (act: () => unknown) => {
  try {
    act();
  } catch (error) {
    if (error instanceof Refusal) return error.word;
    throw error;
  }
  return undefined;
};

describe("the ending of a file name", () => {
  test.each([
    { fileName: "id-201.png", suffix: "201" },
    { fileName: "201", suffix: "201" },
    { fileName: "201.pdf", suffix: "201" },
    { fileName: "a.b.x202.jpeg", suffix: "202" },
    { fileName: "202.tar.gz", suffix: "tar" },
    { fileName: "folder203/id.pdf", suffix: "id" },
    { fileName: "folder/id203.pdf", suffix: "203" },
    { fileName: "C:\\id204.pdf", suffix: "204" },
    { fileName: ".205", suffix: "205" },
    { fileName: "206.", suffix: "206" },
    { fileName: "id-201 .pdf", suffix: "01 " },
    { fileName: "", suffix: "" },
    { fileName: "/", suffix: "" },
  ])("is read from $fileName as $suffix", ({ fileName, suffix }) => {
    expect(fileNameSuffix(fileName)).toBe(suffix);
  });

  test.each([
    { suffix: "200", refusal: undefined },
    { suffix: "201", refusal: "LOW_QUALITY" },
    { suffix: "202", refusal: "DATA_MISMATCH" },
    { suffix: "203", refusal: "EXPIRED" },
    { suffix: "204", refusal: "SUSPECTED_FRAUD" },
    { suffix: "205", refusal: "UNSUITABLE_DOCUMENT" },
    { suffix: "206", refusal: "INCOMPLETE" },
    { suffix: "207", refusal: undefined },
    { suffix: "otherwise", refusal: undefined },
    { suffix: "toString", refusal: undefined },
  ] as const)("$suffix is $refusal", ({ suffix, refusal }) => {
    expect(documentOutcome(`${suffix}.pdf`).outcome.refusal).toBe(refusal);
    const body = form(`scan-${suffix}.pdf`);
    expect(refusedWith(() => world.run(createDocument, { body, sha256: HASHES.one }))).toBe(
      refusal,
    );
  });

  test("has a row for each of the codes reserved for documents", () => {
    expect(Object.keys(DOCUMENT_OUTCOMES)).toEqual([
      "201",
      "202",
      "203",
      "204",
      "205",
      "206",
      "otherwise",
    ]);
  });
});

test("a record names its bytes, their type and their length", () => {
  const id = make();
  expect(world.state.get("Document", id)?.file).toEqual({
    sha256: HASHES.one,
    mediaType: "application/pdf",
    sizeBytes: 5,
  });
  const body = { ...form("id.png"), file: { fileName: "id.png", bytes: PNG } };
  world.run(replaceDocument, { params: { documentId: id }, body, sha256: HASHES.two });
  expect(world.state.get("Document", id)?.file).toEqual({
    sha256: HASHES.two,
    mediaType: "image/png",
    sizeBytes: 8,
  });
});

test("a rule repeats the checks made before the file was stored", () => {
  const body = { ...form(), documentHolder: "Customer:gone" };
  const create = () => world.run(createDocument, { body, sha256: HASHES.one });
  expect(refusedWith(create)).toBe("USER_NOT_FOUND");
});

describe("submitted documents", () => {
  test("are those of the named holders, and can no longer be deleted", () => {
    const own = make();
    const other = makeHolder("b");
    const body = { ...form(), documentHolder: other };
    const foreign = world.run(createDocument, { body, sha256: HASHES.one }).id;
    world.run(submitDocumentsOf, [holder, "BeneficialOwner:none"]);
    const drop = (documentId: string) => () =>
      world.run(deleteDocument, { params: { documentId } });
    expect(refusedWith(drop(own))).toBe("DOCUMENT_SUBMITTED");
    expect(refusedWith(drop(foreign))).toBeUndefined();
  });

  test("look unchanged, and keep the time of their first submission", () => {
    const id = make();
    const before = world.read(listDocuments, { query: {} });
    const startMs = world.atMs;
    world.run(submitDocumentsOf, [holder]);
    world.atMs += 60_000;
    world.run(submitDocumentsOf, [holder]);
    expect(world.read(listDocuments, { query: {} })).toEqual(before);
    expect(world.state.get("Document", id)?.submittedAtMs).toBe(startMs);
  });

  test("stay submitted when their file is replaced; a later document is not submitted", () => {
    const id = make();
    world.run(submitDocumentsOf, [holder]);
    world.run(replaceDocument, { params: { documentId: id }, body: form(), sha256: HASHES.two });
    const drop = (documentId: string) => () =>
      world.run(deleteDocument, { params: { documentId } });
    expect(refusedWith(drop(id))).toBe("DOCUMENT_SUBMITTED");
    expect(refusedWith(drop(make()))).toBeUndefined();
  });
});

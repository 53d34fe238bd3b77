import { beforeEach, describe, expect, test } from "vitest";
import { DOCUMENT_TYPES } from "../../../src/contract/customers/documents.ts";
import { createPayer } from "../../setup/platform.ts";
import { JPEG, PDF, PNG, pdfOf, postDocument, putDocument } from "../../setup/uploads.ts";
import { expectNothing, expectRefused, invalid } from "../setup/refused.ts";
import { worldPerTest } from "../setup/world-per-test.ts";
import { createBusiness, createOwner, verify } from "./setup/people.ts";

const MEBIBYTE = 1024 * 1024;
const DOCUMENT_ID = /^Document:[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const world = worldPerTest();
let holder: string;

beforeEach(async () => {
  holder = (await createPayer(world(), 0)).customerId;
});

const bytes = (text: string) => Uint8Array.from(Buffer.from(text, "latin1"));

const create = async (given: Parameters<typeof postDocument>[2] = {}) => {
  const { status, body } = await postDocument(world(), holder, given);
  expect(status).toBe(201);
  return body;
};

describe("a document", () => {
  test("is shown as it was sent, without its file", async () => {
    const fields = {
      documentType: "DRIVERS_LICENSE",
      side: "FRONT",
      documentNumber: "D-100",
      issuingAuthority: "Puebla",
    };
    const document = await create({ fields, fileName: "front.png", bytes: PNG });
    expect(document).toEqual({
      id: expect.stringMatching(DOCUMENT_ID),
      documentHolder: holder,
      country: "MX",
      ...fields,
      fileName: "front.png",
      createdAt: "2026-01-05T09:00:00.000Z",
      updatedAt: "2026-01-05T09:00:00.000Z",
    });
    expect((await world().call("GET", `/documents/${document.id}`)).body).toEqual(document);
  });

  test("shows no field that was not sent", async () => {
    expect(Object.keys(await create()).sort()).toEqual([
      "country",
      "createdAt",
      "documentHolder",
      "documentType",
      "fileName",
      "id",
      "updatedAt",
    ]);
  });

  test.each(DOCUMENT_TYPES)("may be a %s", async (documentType) => {
    expect(await create({ fields: { documentType } })).toMatchObject({ documentType });
  });

  test("is listed newest first, by its holder or without a filter", async () => {
    const { customerId: other } = await createPayer(world(), 0);
    const first = await create();
    const { body: foreign } = await postDocument(world(), other);
    const last = await create();
    const idsOf = async (query: string) =>
      (await world().call("GET", `/documents${query}`)).body.data.map(
        (one: { id: string }) => one.id,
      );
    expect(await idsOf("")).toEqual([last.id, foreign.id, first.id]);
    expect(await idsOf(`?documentHolder=${holder}`)).toEqual([last.id, first.id]);
    expect(await idsOf("?documentHolder=Customer:none")).toEqual([]);
    expect((await world().call("GET", "/documents?limit=1")).body).toMatchObject({
      hasMore: true,
      totalCount: 3,
      nextCursor: expect.any(String),
    });
  });

  test("is gone when it is deleted", async () => {
    const { id } = await create();
    expect((await world().call("DELETE", `/documents/${id}`)).status).toBe(204);
    for (const method of ["GET", "DELETE"])
      expectRefused(await world().call(method, `/documents/${id}`), {
        status: 404,
        code: "REFERENCE_NOT_FOUND",
      });
    expect((await world().call("GET", "/documents")).body.totalCount).toBe(0);
  });

  // spec/documents.md#kept-bytes
  test("with the same bytes as another one is a document of its own", async () => {
    const [one, two] = [await create(), await create()];
    expect(one.id).not.toBe(two.id);
    await world().call("DELETE", `/documents/${one.id}`);
    expect((await world().call("GET", `/documents/${two.id}`)).status).toBe(200);
  });

  test("stays when its holder is deleted, but takes no new ones", async () => {
    const { id } = await create();
    await world().call("DELETE", `/customers/${holder}`);
    expect((await world().call("GET", `/documents/${id}`)).status).toBe(200);
    expectRefused(await postDocument(world(), holder), {
      status: 404,
      code: "USER_NOT_FOUND",
      field: "documentHolder",
    });
  });
});

describe("PUT", () => {
  const FIELDS = { side: "FRONT", documentNumber: "D-100", issuingAuthority: "Puebla" };

  test.each([
    { says: "nothing more", sent: {} },
    { says: "a side", sent: { side: "BACK" } },
    { says: "a number", sent: { documentNumber: "D-200" } },
    { says: "an authority", sent: { issuingAuthority: "Oaxaca" } },
    { says: "another type", sent: { documentType: "SELFIE" } },
    { says: "another country", sent: { country: "AE" } },
    { says: "everything", sent: { side: "BACK", documentNumber: "9", issuingAuthority: "A" } },
  ])("with $says leaves the other fields unchanged", async ({ sent }) => {
    const document = await create({ fields: FIELDS });
    await world().sim.advance("1m");
    const { status, body } = await putDocument(world(), document.id, {
      fields: sent,
      fileName: "again.jpg",
      bytes: JPEG,
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...document,
      ...sent,
      fileName: "again.jpg",
      updatedAt: "2026-01-05T09:01:00.000Z",
    });
    expect((await world().call("GET", `/documents/${document.id}`)).body).toEqual(body);
  });

  test("does not move a document to another holder", async () => {
    const { customerId } = await createPayer(world(), 0);
    const { id } = await create();
    const { body } = await putDocument(world(), id, { fields: { documentHolder: customerId } });
    expect(body.documentHolder).toBe(holder);
  });

  test.each(["documentType", "country", "file"])("requires %s", async (name) => {
    const { id } = await create();
    const form = new FormData();
    if (name !== "documentType") form.append("documentType", "OTHER");
    if (name !== "country") form.append("country", "MX");
    if (name !== "file") form.append("file", new Blob([PDF]), "a.pdf");
    const put = () => world().raw("PUT", `/documents/${id}`, { body: form });
    await expectNothing(world(), put, invalid(name));
  });
});

describe("a document of a beneficial owner", () => {
  test("is uploaded, listed, and submitted by the verification of its business", async () => {
    const businessId = await createBusiness(world(), "88-003");
    const owner = await createOwner(world(), businessId);
    const { status, body } = await postDocument(world(), owner.id);
    expect(status).toBe(201);
    const { body: list } = await world().call("GET", `/documents?documentHolder=${owner.id}`);
    expect(list.data).toEqual([body]);
    const foreign = await create();
    await verify(world(), businessId);
    expectRefused(await world().call("DELETE", `/documents/${body.id}`), {
      status: 409,
      code: "CONFLICT",
      reason: "DOCUMENT_SUBMITTED",
    });
    expect((await world().call("DELETE", `/documents/${foreign.id}`)).status).toBe(204);
  });

  test("that does not exist is refused", async () => {
    const id = "BeneficialOwner:00000000-0000-7000-8000-000000000000";
    await expectNothing(world(), () => postDocument(world(), id), {
      status: 404,
      code: "REFERENCE_NOT_FOUND",
      field: "documentHolder",
    });
  });
});

describe("the file of a document", () => {
  test.each([
    { says: "a PDF", file: PDF },
    { says: "a JPEG", file: JPEG },
    { says: "a PNG", file: PNG },
    { says: "10 MiB", file: pdfOf(10 * MEBIBYTE) },
  ])("may be $says, whatever its name and declared type", async ({ file }) => {
    await create({ bytes: file, fileName: "letter.docx" });
  });

  const NOT_ALLOWED = invalid("file", "FILE_TYPE_NOT_ALLOWED");
  const TOO_LARGE = invalid("file", "FILE_TOO_LARGE");

  test.each([
    { says: "empty", file: bytes(""), refused: invalid("file") },
    { says: "text", file: bytes("hello"), refused: NOT_ALLOWED },
    { says: "a GIF", file: bytes("GIF89a"), refused: NOT_ALLOWED },
    { says: "a PDF cut short", file: bytes("%PDF"), refused: NOT_ALLOWED },
    { says: "a JPEG cut short", file: bytes("\xff\xd8"), refused: NOT_ALLOWED },
    { says: "a PNG cut short", file: PNG.slice(0, 7), refused: NOT_ALLOWED },
    { says: "a PDF behind something", file: bytes(" %PDF-"), refused: NOT_ALLOWED },
    { says: "a byte over 10 MiB", file: pdfOf(10 * MEBIBYTE + 1), refused: TOO_LARGE },
    { says: "11 MiB", file: pdfOf(11 * MEBIBYTE), refused: TOO_LARGE },
    { says: "large, and no PDF", file: new Uint8Array(11 * MEBIBYTE), refused: TOO_LARGE },
  ])("that is $says is refused", async ({ file, refused }) => {
    await expectNothing(world(), () => postDocument(world(), holder, { bytes: file }), refused);
    const { id } = await create();
    await expectNothing(world(), () => putDocument(world(), id, { bytes: file }), refused);
  });

  test.each([
    "../../etc/passwd",
    "/etc/passwd.pdf",
    "C:\\fakepath\\id.pdf",
    "..",
    "a/../b.pdf",
    "%2e%2e%2fid.pdf",
    "Reisepaß Ünïcode 護照.pdf",
    "😀.pdf",
    "no-extension",
    ".hidden",
    "x".repeat(255),
  ])("keeps its name, which is not used as a path: %s", async (fileName) => {
    const { id } = await create({ fileName });
    expect((await world().call("GET", `/documents/${id}`)).body.fileName).toBe(fileName);
  });

  test.each([
    { says: "of 256 characters", fileName: "x".repeat(256) },
    { says: "with a NUL", fileName: "a\u0000.pdf" },
    { says: "with a tab", fileName: "a\t.pdf" },
    { says: "with an escape", fileName: "\u001b[31m.pdf" },
  ])("is refused under a name $says", async ({ fileName }) => {
    await expectNothing(
      world(),
      () => postDocument(world(), holder, { fileName }),
      invalid("file"),
    );
  });
});

describe("the order of checks of POST /documents", () => {
  const nobody = "Customer:00000000-0000-7000-8000-000000000000";

  test("fields come before the holder", async () => {
    const given = { fields: { country: "mx" } };
    expectRefused(await postDocument(world(), nobody, given), invalid("country"));
  });

  test("the file's type comes before the holder", async () => {
    const given = { bytes: bytes("hello") };
    const refused = invalid("file", "FILE_TYPE_NOT_ALLOWED");
    expectRefused(await postDocument(world(), nobody, given), refused);
  });

  test("the holder comes before the ending of the file name", async () => {
    expectRefused(await postDocument(world(), nobody, { fileName: "id-201.pdf" }), {
      status: 404,
      code: "USER_NOT_FOUND",
      field: "documentHolder",
    });
  });

  test("an unknown document comes before its form", async () => {
    const answer = await world().raw("PUT", "/documents/Document:none", { body: new FormData() });
    expectRefused(answer, { status: 404, code: "REFERENCE_NOT_FOUND" });
  });
});

test.each([
  { field: "documentType", value: "DRIVING_LICENCE" },
  { field: "documentType", value: "" },
  { field: "country", value: "MEX" },
  { field: "country", value: "mx" },
  { field: "side", value: "LEFT" },
  { field: "side", value: "" },
  { field: "documentNumber", value: "" },
  { field: "documentNumber", value: "x".repeat(256) },
  { field: "issuingAuthority", value: "a\u0007" },
])("$field may not be $value", async ({ field, value }) => {
  const post = () => postDocument(world(), holder, { fields: { [field]: value } });
  await expectNothing(world(), post, invalid(field));
});

test.each([
  { id: "InternalAccount:00000000-0000-7000-8000-000000000000" },
  { id: "none" },
  { id: "" },
  { id: "__proto__" },
  { id: "constructor:1" },
])("no other resource can hold a document: $id", async ({ id }) => {
  await expectNothing(world(), () => postDocument(world(), id), {
    status: 404,
    code: "REFERENCE_NOT_FOUND",
    field: "documentHolder",
  });
});

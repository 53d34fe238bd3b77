import { beforeEach, describe, expect, test } from "vitest";
import { MAX_CSV_ROWS } from "../../../src/contract/customers/bulk-customers.ts";
import { ROWS_AT_ONCE } from "../../../src/domain/customers/bulk-imports.ts";
import { Receiver } from "../../setup/receiver.ts";
import type { TestSimulator } from "../../setup/test-simulator.ts";
import { COLUMNS, csvOf, firm, importCsv, person, postCsv } from "../../setup/uploads.ts";
import { worldPerTest } from "../setup/world-per-test.ts";

const JOB_ID = /^Job:[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const START = "2026-01-05T09:00:00.000Z";

interface FiredTimer {
  timer: string;
  subject: string;
  from?: string;
  to?: string;
}

let fired: FiredTimer[];

const world = worldPerTest({
  onActivity: (activity) => {
    if (activity.kind === "timer") fired.push(activity);
  },
});

beforeEach(() => {
  fired = [];
});

const customers = async ({ call }: TestSimulator = world()) =>
  (await call("GET", "/customers?limit=100")).body;

const withoutColumn = (name: string) => COLUMNS.filter((column) => column !== name);

describe("a bulk import", () => {
  test("answers at once, and is done when the next call is answered", async () => {
    const started = await postCsv(world(), csvOf([person(1), firm(2)]));
    expect(started).toMatchObject({
      status: 202,
      body: { jobId: expect.stringMatching(JOB_ID), status: "PENDING" },
    });
    const { body } = await world().call("GET", `/customers/bulk/jobs/${started.body.jobId}`);
    expect(body).toEqual({
      id: started.body.jobId,
      status: "COMPLETED",
      progress: { total: 2, processed: 2, successful: 2, failed: 0 },
      completedAt: START,
    });
  });

  test("creates customers as POST /customers does", async () => {
    await importCsv(
      world(),
      csvOf(
        [
          person(1, { email: "lena@shop.example", addressLine2: "Piso 2", description: "x" }),
          firm(2, { businessTaxId: "T-1", businessRegistrationNumber: "R-002" }),
        ],
        [
          ...COLUMNS,
          "email",
          "addressLine2",
          "businessTaxId",
          "businessRegistrationNumber",
          "platformAccountId",
          "description",
          "unheardOf",
        ],
      ),
    );
    const { data } = await customers();
    const address = {
      line1: "Av. Norte 12",
      city: "Puebla",
      state: "PUE",
      postalCode: "72000",
      country: "MX",
    };
    const shared = { currencies: ["USD", "USDC", "USDB"], isDeleted: false };
    const stamps = { createdAt: START, updatedAt: START };
    expect(data).toEqual([
      {
        id: expect.any(String),
        platformCustomerId: "firm-2",
        customerType: "BUSINESS",
        umaAddress: "$firm2@pay.example",
        kybStatus: "UNVERIFIED",
        businessInfo: { legalName: "Ortiz 2 S.A.", registrationNumber: "R-002", taxId: "T-1" },
        beneficialOwners: [],
        address,
        ...shared,
        ...stamps,
      },
      {
        id: expect.any(String),
        platformCustomerId: "shop-1",
        customerType: "INDIVIDUAL",
        umaAddress: "$person1@pay.example",
        kycStatus: "APPROVED",
        email: "lena@shop.example",
        fullName: "Lena Ortiz 1",
        birthDate: "1991-11-02",
        address: { ...address, line2: "Piso 2" },
        ...shared,
        ...stamps,
      },
    ]);
    const query = `customerId=${data[1].id}`;
    const { body } = await world().call("GET", `/customers/internal-accounts?${query}`);
    expect(body.totalCount).toBe(3);
  });

  test("ignores columns of the other type", async () => {
    const columns = [...COLUMNS, "email", "businessTaxId"];
    await importCsv(world(), csvOf([firm(1, { email: "no address" })], columns));
    await importCsv(world(), csvOf([person(2, { businessTaxId: "T-1" })], columns));
    const { data } = await customers();
    expect(data[0]).not.toHaveProperty("businessInfo");
    expect(data[1]).not.toHaveProperty("email");
  });

  test("imports row after row, part after part", async () => {
    const rows = Array.from({ length: 2 * ROWS_AT_ONCE + 1 }, (_, at) => person(at));
    const { body: job } = await postCsv(world(), csvOf(rows));
    await world().sim.advance("1s");
    const id = job.jobId;
    expect(fired.map(({ timer, subject, from, to }) => [timer, subject, from, to])).toEqual([
      ["bulk.import", id, "PENDING", "PROCESSING"],
      ["bulk.import", id, "PROCESSING", "PROCESSING"],
      ["bulk.import", id, "PROCESSING", "COMPLETED"],
    ]);
    const { body: done } = await world().call("GET", `/customers/bulk/jobs/${job.jobId}`);
    expect(done.progress).toEqual({ total: 51, processed: 51, successful: 51, failed: 0 });
    const { data } = await customers();
    expect(data.map((one: { platformCustomerId: string }) => one.platformCustomerId)).toEqual(
      rows.map(({ platformCustomerId }) => platformCustomerId).reverse(),
    );
  });

  test("of the largest file stays below the limit of an endless cascade", () => {
    expect(MAX_CSV_ROWS / ROWS_AT_ONCE).toBeLessThan(10_000);
  });

  test("leaves no rows behind in the world", async () => {
    await importCsv(world(), csvOf([person(1), person(2)]));
    const before = (await world().control("GET", "/status")).body.storage.records;
    await importCsv(world(), csvOf([]));
    const after = (await world().control("GET", "/status")).body.storage.records;
    // Two changes: the upload, and the firing of its timer.
    expect(after - before).toBe(2);
  });
});

describe("a row error", () => {
  const NEW = person(1);
  const errorsOf = async (rows: Parameters<typeof csvOf>[0], columns?: readonly string[]) => {
    const { progress, errors } = await importCsv(world(), csvOf(rows, columns));
    expect(progress.failed).toBe(errors?.length ?? 0);
    return errors;
  };

  test.each([
    { says: "no type", row: { ...NEW, customerType: "" }, field: "customerType" },
    { says: "another type", row: { ...NEW, customerType: "individual" }, field: "customerType" },
    { says: "no name", row: { ...NEW, fullName: "" }, field: "fullName" },
    { says: "no birth date", row: { ...NEW, birthDate: "" }, field: "birthDate" },
    { says: "no such day", row: { ...NEW, birthDate: "2025-02-29" }, field: "birthDate" },
    { says: "a day of another form", row: { ...NEW, birthDate: "2.11.1991" }, field: "birthDate" },
    { says: "no street", row: { ...NEW, addressLine1: "" }, field: "addressLine1" },
    { says: "no city", row: { ...NEW, city: "" }, field: "city" },
    { says: "no state", row: { ...NEW, state: "" }, field: "state" },
    { says: "no postal code", row: { ...NEW, postalCode: "" }, field: "postalCode" },
    { says: "no country", row: { ...NEW, country: "" }, field: "country" },
    { says: "a long country", row: { ...NEW, country: "MEX" }, field: "country" },
    { says: "no UMA address", row: { ...NEW, umaAddress: "" }, field: "umaAddress" },
    {
      says: "a firm without name",
      row: firm(1, { businessLegalName: "" }),
      field: "businessLegalName",
    },
    { says: "an endless name", row: { ...NEW, fullName: "x".repeat(256) }, field: "fullName" },
  ])("$says", async ({ row, field }) => {
    expect(await errorsOf([row])).toEqual([
      {
        correlationId: row.platformCustomerId,
        code: "INVALID_INPUT",
        message: expect.stringContaining(field),
        details: expect.objectContaining({ field, rowNumber: 1 }),
      },
    ]);
  });

  test("names a bad email, which is optional", async () => {
    const columns = [...COLUMNS, "email"];
    const [error] = await errorsOf([person(1, { email: "lena" })], columns);
    expect(error).toMatchObject({ code: "INVALID_INPUT", details: { field: "email" } });
  });

  test.each(["lena@pay.example", "$lena", "$le na@pay.example", "$@pay.example"])(
    "the UMA address %s",
    async (umaAddress) => {
      expect(await errorsOf([person(1, { umaAddress })])).toMatchObject([
        {
          correlationId: "shop-1",
          code: "INVALID_UMA_ADDRESS",
          details: { field: "umaAddress", rowNumber: 1 },
        },
      ]);
    },
  );

  test("is not caused by a UMA address of another domain", async () => {
    expect(await errorsOf([person(1, { umaAddress: "$lena@elsewhere.example" })])).toBeUndefined();
  });

  test("names a UMA address that a customer or an earlier row has", async () => {
    const umaAddress = "$taken@pay.example";
    await world().call("POST", "/customers", { customerType: "INDIVIDUAL", umaAddress });
    const rows = [
      person(1, { umaAddress: "$TAKEN@pay.example" }),
      person(2),
      person(3, { umaAddress: "$person2@PAY.example" }),
    ];
    expect(await errorsOf(rows)).toMatchObject([
      { correlationId: "shop-1", code: "UMA_ADDRESS_EXISTS", details: { rowNumber: 1 } },
      { correlationId: "shop-3", code: "UMA_ADDRESS_EXISTS", details: { rowNumber: 3 } },
    ]);
  });

  test("names a platformCustomerId that a customer or an earlier row has", async () => {
    const platformCustomerId = "shop-1";
    await world().call("POST", "/customers", { customerType: "INDIVIDUAL", platformCustomerId });
    const rows = [person(1), person(2), person(3, { platformCustomerId: "shop-2" })];
    expect(await errorsOf(rows)).toMatchObject([
      { correlationId: "shop-1", code: "CONFLICT", details: { rowNumber: 1 } },
      { correlationId: "shop-2", code: "CONFLICT", details: { rowNumber: 3 } },
    ]);
  });

  test("names the row by its number if it has no platformCustomerId", async () => {
    const rows = [person(1), person(2, { platformCustomerId: "" })];
    expect(await errorsOf(rows)).toMatchObject([
      {
        correlationId: "row_2",
        code: "INVALID_INPUT",
        details: { field: "platformCustomerId", rowNumber: 2 },
      },
    ]);
  });

  test.each([
    { says: "too few", cells: "a,b" },
    { says: "too many", cells: `${"a,".repeat(COLUMNS.length)}a` },
  ])("$says cells", async ({ cells }) => {
    const { errors, progress } = await importCsv(world(), `${csvOf([person(1)])}${cells}\n`);
    expect(errors).toEqual([
      {
        correlationId: "row_2",
        code: "INVALID_INPUT",
        message: expect.stringContaining(`Expected ${COLUMNS.length} cells`),
        details: { expected: 11, found: cells.split(",").length, rowNumber: 2 },
      },
    ]);
    expect(progress).toEqual({ total: 2, processed: 2, successful: 1, failed: 1 });
  });

  test("creates nothing for its row, and leaves the rows around it", async () => {
    const rows = [person(1), person(2, { birthDate: "soon" }), person(3)];
    const job = await importCsv(world(), csvOf(rows));
    expect(job).toMatchObject({ status: "COMPLETED", progress: { successful: 2, failed: 1 } });
    expect((await customers()).totalCount).toBe(2);
  });
});

describe("the end of a job", () => {
  test.each([
    { says: "no rows", rows: [], status: "COMPLETED", errors: 0 },
    { says: "good rows", rows: [person(1)], status: "COMPLETED", errors: 0 },
    { says: "some", rows: [person(1), person(1)], status: "COMPLETED", errors: 1 },
    { says: "bad rows", rows: [person(1, { city: "" })], status: "FAILED", errors: 1 },
  ])("with $says: $status", async ({ rows, status, errors }) => {
    const job = await importCsv(world(), csvOf(rows));
    expect(job).toMatchObject({ status, completedAt: START });
    expect(job.errors?.length ?? 0).toBe(errors);
  });

  test.each([
    "umaAddress",
    "platformCustomerId",
    "customerType",
    "addressLine1",
    "city",
    "state",
    "postalCode",
    "country",
  ])("without the column %s: FAILED, with one error", async (name) => {
    const job = await importCsv(world(), csvOf([person(1), person(2)], withoutColumn(name)));
    expect(job).toMatchObject({
      status: "FAILED",
      progress: { total: 0, processed: 0, successful: 0, failed: 0 },
      errors: [
        {
          correlationId: "row_0",
          code: "INVALID_INPUT",
          message: expect.stringContaining(name),
          details: { reason: "MISSING_COLUMNS", field: name, rowNumber: 0 },
        },
      ],
    });
    expect((await customers()).totalCount).toBe(0);
  });

  test.each([
    { says: "no bytes", csv: "", reason: "MISSING_COLUMNS" },
    { says: "empty lines alone", csv: "\n\r\n", reason: "MISSING_COLUMNS" },
    { says: "an open quote", csv: `${csvOf([person(1)])}"x`, reason: "INVALID_CSV" },
    { says: "a quote inside a cell", csv: `${csvOf([person(1)])}a"b"`, reason: "INVALID_CSV" },
    { says: "a column named twice", csv: csvOf([], [...COLUMNS, "city"]), reason: "INVALID_CSV" },
    {
      says: "no UTF-8",
      csv: Uint8Array.from([...Buffer.from(csvOf([person(1)])), 0xff]),
      reason: "INVALID_CSV",
    },
    { says: "a PDF", csv: "%PDF-1.7", reason: "MISSING_COLUMNS" },
  ])("of $says: FAILED, with one error and no customer", async ({ csv, reason }) => {
    const job = await importCsv(world(), csv);
    expect(job).toMatchObject({
      status: "FAILED",
      errors: [{ correlationId: "row_0", code: "INVALID_INPUT", details: { reason } }],
    });
    expect((await customers()).totalCount).toBe(0);
  });
});

describe("its webhook", () => {
  test.each([
    { rows: [person(1), person(1)], type: "BULK_UPLOAD.COMPLETED" },
    { rows: [person(1, { city: "" })], type: "BULK_UPLOAD.FAILED" },
  ])("$type comes once, with the job as GET shows it", async ({ rows, type }) => {
    const receiver = await new Receiver().start();
    try {
      await world().call("PATCH", "/config", { webhookEndpoint: receiver.url });
      await world().sim.advance("1s");
      const job = await importCsv(world(), csvOf(rows));
      await world().sim.advance("1s");
      const told = receiver.received.filter((one) => one.type.startsWith("BULK_UPLOAD"));
      expect(told.map((one) => [one.type, one.data])).toEqual([[type, job]]);
      expect(receiver.types().filter((one) => one.startsWith("CUSTOMER"))).toEqual([]);
      expect(receiver.allVerify(world().sim.webhookPublicKey)).toBe(true);
    } finally {
      await receiver.stop();
    }
  });
});

describe("its explanation", () => {
  test("why names the job that made a customer, and the upload of the job", async () => {
    const upload = await postCsv(world(), csvOf([person(1)]));
    const { data } = await customers();
    const { body: customer } = await world().control("GET", `/why/${data[0].id}`);
    expect(JSON.stringify(customer)).toContain(`bulk.import ${upload.body.jobId}`);
    const { body: job } = await world().control("GET", `/why/${upload.body.jobId}`);
    expect(JSON.stringify(job)).toContain("uploadCustomersCsv");
    expect(job.status).toBe("COMPLETED");
  });

  test("the request lists its job among its effects", async () => {
    const upload = await postCsv(
      world(),
      csvOf(Array.from({ length: 300 }, (_, at) => person(at))),
    );
    const id = upload.headers.get("x-sim-request-id");
    const { body } = await world().control("GET", `/requests/${id}`);
    expect(body.caused).toContain(upload.body.jobId);
    expect(body.caused.filter((one: string) => one.startsWith("BulkRows"))).toEqual([]);
  });
});

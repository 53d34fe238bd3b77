import { stringify } from "csv-stringify/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readBulkCsv } from "../../../src/api/customers/bulk-csv.ts";
import { REQUIRED_COLUMNS } from "../../../src/contract/customers/bulk-customers.ts";
import { runsOf } from "../../setup/campaign.ts";
import { COLUMNS, csvOf, person } from "../../setup/uploads.ts";

const read = (text: string) => readBulkCsv(Buffer.from(text));

const rowsOf = async (text: string) => {
  const csv = await read(text);
  if (!("rows" in csv)) throw new Error(`Expected rows but found ${JSON.stringify(csv)}`);
  return csv.rows;
};

/** The one row of a file, as it was read. */
const rowOf = async (text: string) => {
  const [row] = await rowsOf(text);
  if (!row || "error" in row) throw new Error(`Expected a row but found ${JSON.stringify(row)}`);
  return row.row as unknown as Record<string, string>;
};

const withCell = (name: string, written: string) => csvOf([person(1, { [name]: written })]);

describe("a cell", () => {
  test.each([
    { says: "as it is", written: "Puebla", cell: "Puebla" },
    { says: "in quotes", written: '"Puebla"', cell: "Puebla" },
    { says: "with a comma", written: '"Puebla, Puebla"', cell: "Puebla, Puebla" },
    { says: "with quotes", written: '"La ""Angelópolis"""', cell: 'La "Angelópolis"' },
    { says: "with blanks around it", written: " Puebla ", cell: " Puebla " },
    { says: "in another script", written: "プエブラ 😀", cell: "プエブラ 😀" },
  ])("is read $says", async ({ written, cell }) => {
    expect((await rowOf(withCell("city", written))).city).toBe(cell);
  });

  test.each(["\n", "\r\n", "\r"])("may contain the newline %j in quotes", async (end) => {
    const rows = await rowsOf(
      withCell("city", `"Pue${end}bla"`) + csvOf([person(2)]).split("\n")[1],
    );
    // A control character makes its row wrong; the row behind it is read all the same.
    expect(rows).toMatchObject([
      { error: { correlationId: "shop-1", details: { field: "city" } } },
      { correlationId: "shop-2", rowNumber: 2 },
    ]);
  });
});

describe("a file", () => {
  const CSV = csvOf([person(1), person(2)]);

  test.each([
    { says: "in LF", csv: CSV },
    { says: "in CRLF", csv: CSV.replaceAll("\n", "\r\n") },
    { says: "in CR", csv: CSV.replaceAll("\n", "\r") },
    { says: "in both", csv: CSV.replace("\n", "\r\n") },
    { says: "without the last one", csv: CSV.slice(0, -1) },
    { says: "with empty ones", csv: `\n${CSV.replaceAll("\n", "\n\n")}\r\n` },
    { says: "with a byte order mark", csv: `\ufeff${CSV}` },
    { says: "with a mark and CRLF", csv: `\ufeff${CSV.replaceAll("\n", "\r\n")}` },
    {
      says: "with columns in another order",
      csv: csvOf([person(1), person(2)], [...COLUMNS].reverse()),
    },
    {
      says: "with an unknown column",
      csv: csvOf([person(1), person(2)], ["unheardOf", "__proto__", ...COLUMNS]),
    },
    {
      says: "with columns without a name",
      csv: csvOf([person(1), person(2)], ["", ...COLUMNS, ""]),
    },
    { says: "with its header in quotes", csv: CSV.replace("city", '"city"') },
  ])("$says gives the same two rows", async ({ csv }) => {
    expect(await rowsOf(csv)).toEqual(await rowsOf(CSV));
    expect(await rowsOf(csv)).toHaveLength(2);
  });

  test.each([" city", "City", "city "])("ignores the column %j", async (name) => {
    expect(await read(CSV.replace("city", name))).toMatchObject({
      problem: { details: { reason: "MISSING_COLUMNS", field: "city" } },
    });
  });

  test("requires only the columns that rows of both types need", async () => {
    expect(await rowsOf(csvOf([], REQUIRED_COLUMNS))).toEqual([]);
  });

  test("with 100,000 rows is read, with one more it is not", { timeout: 120_000 }, async () => {
    const header = csvOf([]);
    const row = `x${header.replace(/[^,]/g, "")}\n`;
    expect(await rowsOf(header + row.repeat(100_000))).toHaveLength(100_000);
    expect(await read(header + row.repeat(100_001))).toMatchObject({
      problem: { correlationId: "row_0", details: { reason: "TOO_MANY_ROWS", limit: 100_000 } },
    });
  });
});

test("any table is read back cell by cell as the library wrote it", async () => {
  const text = fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
    .filter((one) => !/\p{Cc}/u.test(one) && Buffer.from(one).toString() === one);
  const free = fc.record({
    platformCustomerId: text,
    umaAddress: text,
    fullName: text,
    addressLine1: text,
    addressLine2: text,
    city: text,
    state: text,
    postalCode: text,
  });
  const columns = [...COLUMNS, "addressLine2", "notes"];
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(free, fc.string({ unit: "binary", maxLength: 8 })), { maxLength: 8 }),
      fc.record({
        bom: fc.boolean(),
        quoted: fc.boolean(),
        record_delimiter: fc.constantFrom("\n", "\r\n"),
      }),
      async (table, options) => {
        // The file is written as bytes: half a surrogate pair would become another text.
        const rows = table.map(([cells, notes]) => ({
          ...person(0),
          ...cells,
          notes: Buffer.from(notes).toString(),
        }));
        const csv = stringify(rows, { header: true, columns, ...options });
        expect(await rowsOf(csv)).toEqual(
          table.map(([cells], at) => ({
            correlationId: cells.platformCustomerId,
            rowNumber: at + 1,
            row: {
              customerType: "INDIVIDUAL",
              birthDate: "1991-11-02",
              country: "MX",
              ...cells,
            },
          })),
        );
      },
    ),
    { seed: 20_260_105, numRuns: runsOf(200) },
  );
});

test("no bytes make it crash", async () => {
  const piece = fc.oneof(
    fc.constantFrom(csvOf([]), csvOf([person(1)]), '"', ",", "\n", "\r", "\ufeff", '""', "\u0000"),
    fc.string({ unit: "binary", maxLength: 10 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
      const csv = await read(pieces.join(""));
      expect("rows" in csv || csv.problem.code === "INVALID_INPUT").toBe(true);
    }),
    { seed: 20_260_105, numRuns: runsOf(300) },
  );
});

import { isUtf8 } from "node:buffer";
import { finished } from "node:stream/promises";
import { stableWords } from "../../contract/core/stable-words.ts";
import {
  BulkRow,
  MAX_CSV_ROWS,
  REQUIRED_COLUMNS,
} from "../../contract/customers/bulk-customers.ts";
import { Refusal, refuse } from "../../domain/core/refusal.ts";
import { bulkError, type ReadCsv } from "../../domain/customers/bulk-imports.ts";
import type { PendingRow, RowName } from "../../domain/records/upload-records.ts";
import { inShape } from "../../http/body/shape.ts";
import { nextTurn } from "../../machine/host-time.ts";

/**
 * Name of the whole file in the error of an unusable file (spec/bulk-customers.md#unusable-files).
 */
const WHOLE_FILE: RowName = { correlationId: "row_0", rowNumber: 0 };

/**
 * Bytes that are read, and rows that are checked, in one turn of the event loop: few, since the code
 * of the first file is not optimized yet.
 */
const PIECE_BYTES = 16 * 1024;
const ROWS_IN_TURN = 50;

const unreadable = (why: string) => refuse("INVALID_CSV", { why });

/**
 * Reads the cells of each line, the header's first (spec/bulk-customers.md#csv-format, RFC 4180,
 * section 2). Accepts any newline and a byte order mark, and skips empty lines. Each turn of the
 * event loop reads one piece of the file.
 */
const cellsOf = async (bytes: Uint8Array): Promise<string[][]> => {
  if (!isUtf8(bytes)) return unreadable("it is not valid UTF-8");
  const { parse } = await import("csv-parse");
  const parser = parse({
    bom: true,
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    skip_empty_lines: true,
    // One row over the limit is read, so that too many rows are noticed.
    to: MAX_CSV_ROWS + 2,
  });
  const lines: string[][] = [];
  parser.on("data", (cells: string[]) => lines.push(cells));
  const end = finished(parser);
  // A failure is reported to the caller that awaits the end.
  end.catch(() => {});
  for (let at = 0; at < bytes.length && parser.writable; at += PIECE_BYTES) {
    parser.write(bytes.subarray(at, at + PIECE_BYTES));
    await nextTurn();
  }
  if (parser.writable) parser.end();
  try {
    await end;
    return lines;
  } catch (error) {
    return unreadable(stableWords(error, "it is not CSV"));
  }
};

const requireColumns = (columns: readonly string[]) => {
  const missing = REQUIRED_COLUMNS.filter((name) => !columns.includes(name));
  if (missing.length > 0)
    refuse("MISSING_COLUMNS", { missing: missing.join(", "), field: missing[0] });
  const twice = columns.find((name, at) => name !== "" && columns.indexOf(name) !== at);
  if (twice !== undefined) unreadable(`the column ${twice} is named twice`);
};

/** A row by the names of its columns, without empty cells. */
const cellsByName = (columns: readonly string[], cells: readonly string[]) => {
  const named = columns.map((name, at): [string, string | undefined] => [name, cells[at]]);
  return Object.fromEntries(named.filter(([, cell]) => cell !== ""));
};

const requireAllCells = (columns: readonly string[], cells: readonly string[]) => {
  const [expected, found] = [columns.length, cells.length];
  if (expected !== found)
    refuse(
      "INVALID_INPUT",
      { expected, found },
      `Expected ${expected} cells, as the header has, but found ${found}`,
    );
};

/** A row in its shape, or with its errors. */
const pendingRow = (
  columns: readonly string[],
  { cells, rowNumber }: { cells: readonly string[]; rowNumber: number },
): PendingRow => {
  let correlationId = `row_${rowNumber}`;
  try {
    requireAllCells(columns, cells);
    const named = cellsByName(columns, cells);
    correlationId = named.platformCustomerId ?? correlationId;
    return { correlationId, rowNumber, row: inShape(BulkRow, named, "row") as BulkRow };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { error: bulkError(error, { correlationId, rowNumber }) };
  }
};

const rowsOf = async ([columns = [], ...rows]: readonly string[][]): Promise<PendingRow[]> => {
  requireColumns(columns);
  if (rows.length > MAX_CSV_ROWS) refuse("TOO_MANY_ROWS", { limit: MAX_CSV_ROWS });
  const pending: PendingRow[] = [];
  for (const [at, cells] of rows.entries()) {
    pending.push(pendingRow(columns, { cells, rowNumber: at + 1 }));
    if (at % ROWS_IN_TURN === 0) await nextTurn();
  }
  return pending;
};

/**
 * Reads a bulk file: its rows, each checked by itself, or the problem with the file. Loads the CSV
 * library with the first file.
 */
export const readBulkCsv = async (bytes: Uint8Array): Promise<ReadCsv> => {
  try {
    return { rows: await rowsOf(await cellsOf(bytes)) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { problem: bulkError(error, WHOLE_FILE) };
  }
};

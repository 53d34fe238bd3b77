import { isUtf8 } from "node:buffer";
import { finished } from "node:stream/promises";
import {
  BulkRow,
  MAX_CSV_ROWS,
  REQUIRED_COLUMNS,
} from "../../contract/customers/bulk-customers.ts";
import { Refusal, refuse } from "../../domain/core/refusal.ts";
import { bulkError, type ReadCsv } from "../../domain/customers/bulk-imports.ts";
import type { PendingRow, RowName } from "../../domain/records/upload-records.ts";
import { inShape } from "../../http/shape.ts";

/** What an error about the whole file is told by. */
const WHOLE_FILE: RowName = { correlationId: "row_0", rowNumber: 0 };

/** Bytes of a file that are read, and rows that are checked, in one turn of the event loop. */
const PIECE_BYTES = 64 * 1024;
const ROWS_IN_TURN = 200;

const unreadable = (why: string) => refuse("INVALID_CSV", { why });

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * The cells of each line (RFC 4180), the header's first: any line ends, with or without a byte
 * order mark, empty lines left out. A piece of the file is read in each turn of the event loop.
 */
const cellsOf = async (bytes: Uint8Array): Promise<string[][]> => {
  if (!isUtf8(bytes)) return unreadable("it is not valid UTF-8");
  const { parse } = await import("csv-parse");
  const parser = parse({
    bom: true,
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    skip_empty_lines: true,
    // The header, and one row over the limit, so that it shows.
    to: MAX_CSV_ROWS + 2,
  });
  const lines: string[][] = [];
  parser.on("data", (cells: string[]) => lines.push(cells));
  const end = finished(parser);
  // Whoever waits for the end hears of a failure there.
  end.catch(() => {});
  for (let at = 0; at < bytes.length && parser.writable; at += PIECE_BYTES) {
    parser.write(bytes.subarray(at, at + PIECE_BYTES));
    await turn();
  }
  if (parser.writable) parser.end();
  try {
    await end;
    return lines;
  } catch (error) {
    return unreadable((error as Error).message);
  }
};

const requireColumns = (columns: readonly string[]) => {
  const missing = REQUIRED_COLUMNS.filter((name) => !columns.includes(name));
  if (missing.length > 0)
    refuse("MISSING_COLUMNS", { missing: missing.join(", "), field: missing[0] });
  const twice = columns.find((name, at) => name !== "" && columns.indexOf(name) !== at);
  if (twice !== undefined) unreadable(`the column ${twice} is named twice`);
};

/** A row by its columns' names; an empty cell is none. */
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

/** A row in its shape, or with what is wrong with it. */
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
    if (at % ROWS_IN_TURN === 0) await turn();
  }
  return pending;
};

/**
 * Reads a bulk file (platform digest 8.1): its rows, each checked on its own, or the one thing that
 * is wrong with the file. The library is loaded with the first file.
 */
export const readBulkCsv = async (bytes: Uint8Array): Promise<ReadCsv> => {
  try {
    return { rows: await rowsOf(await cellsOf(bytes)) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { problem: bulkError(error, WHOLE_FILE) };
  }
};

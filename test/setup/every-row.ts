import { expect } from "vitest";

const shown = (value: unknown) => JSON.stringify(value) ?? String(value);

/** The message of a failed check with the values that the matcher shortened in it. */
const problemOf = (error: unknown) => {
  const { message, actual, expected } = error as Error & { actual?: unknown; expected?: unknown };
  if (actual === undefined && expected === undefined) return message;
  return `${message}\n    expected ${shown(expected)}\n    but found ${shown(actual)}`;
};

/**
 * Checks each row of a table, and fails once with every row that broke: its name, what was
 * expected, and what was found.
 */
export const everyRow = async <Row>(
  rows: readonly Row[],
  check: (row: Row) => unknown,
  nameOf: (row: Row) => string = shown,
): Promise<void> => {
  expect(rows.length).toBeGreaterThan(0);
  const broken: string[] = [];
  for (const row of rows)
    try {
      await check(row);
    } catch (error) {
      broken.push(`${nameOf(row)}: ${problemOf(error)}`);
    }
  if (broken.length > 0)
    throw new Error(`${broken.length} of ${rows.length} rows broke:\n${broken.join("\n")}`);
};

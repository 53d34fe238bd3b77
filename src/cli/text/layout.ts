import { CURRENCIES, isCurrencyCode } from "../../contract/money/currencies.ts";

/** Minor units cut by the currency's decimals: `1,234.56 USD`. String arithmetic, no floats. */
export const money = (amountMinor: number | bigint, code: string) => {
  const decimals = isCurrencyCode(code) ? CURRENCIES[code].decimals : 0;
  const sign = amountMinor < 0 ? "-" : "";
  const digits = String(amountMinor)
    .replace("-", "")
    .padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  const cents = decimals > 0 ? `.${digits.slice(-decimals)}` : "";
  return `${sign}${grouped}${cents} ${code}`;
};

/** `1 timer`, `1,204 records`. */
export const counted = (count: number, noun: string) =>
  `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;

/** `2026-01-05 09:06:12Z`, for headings. */
export const fullInstant = (iso: string) => `${iso.slice(0, 10)} ${iso.slice(11, 19)}Z`;

/** `09:06:12` on the day of `day`, `01-06 09:06:12` on another. */
export const shortInstant = (iso: string, day: string) => {
  const time = iso.slice(11, 19);
  return iso.slice(0, 10) === day.slice(0, 10) ? time : `${iso.slice(5, 10)} ${time}`;
};

/** `Kind:…` and the last six digits, which differ between ids of one minute. */
export const shortId = (id: string) => {
  const kind = /^[A-Za-z]+:/.exec(id)?.[0];
  return kind ? `${kind}…${id.slice(-6)}` : id;
};

/** Commands and their summaries in two columns. */
export const hints = (...rows: readonly (readonly [command: string, does: string])[]): string[] => {
  const widest = Math.max(...rows.map(([command]) => command.length));
  return rows.map(([command, does]) => `${command.padEnd(widest)}    ${does}`);
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes have no width
const COLOR_CODES = /\u001b\[[0-9;]*m/g;

const width = (text: string) => [...text.replace(COLOR_CODES, "")].length;

/** Rows in columns, two spaces between them; the last column is not padded. */
export const columns = (rows: readonly (readonly string[])[]): string[] => {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => width(row[at] ?? ""))),
  );
  return rows.map((row) =>
    row
      .map((cell, at) =>
        at === row.length - 1 ? cell : cell + " ".repeat((widths[at] ?? 0) - width(cell)),
      )
      .join("  ")
      .trimEnd(),
  );
};

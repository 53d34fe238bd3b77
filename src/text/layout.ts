import { inGroups } from "../contract/core/digit-groups.ts";
import { CURRENCIES, isCurrencyCode } from "../contract/money/currencies.ts";
import { cellsOf, padCells } from "./cells.ts";

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
  `${inGroups(count)} ${noun}${count === 1 ? "" : "s"}`;

/** `2026-01-05 09:06:12Z`, for headings. */
export const fullInstant = (iso: string) => `${iso.slice(0, 10)} ${iso.slice(11, 19)}Z`;

/** `09:06:12` on the day of `day`, `01-06 09:06:12` on another. */
export const shortInstant = (iso: string, day: string) => instantsAmong([iso, day])(iso);

/**
 * Shows the instants of one output alike: `09:06:12` while all are on one day, else with the day,
 * and with the year when years differ.
 */
export const instantsAmong = (isos: readonly (string | undefined)[]) => {
  const days = isos.flatMap((iso) => (iso === undefined ? [] : [iso.slice(0, 10)]));
  const isOneDay = days.every((day) => day === days[0]);
  const isOneYear = days.every((day) => day.slice(0, 4) === days[0]?.slice(0, 4));
  return (iso: string) => {
    const time = iso.slice(11, 19);
    return isOneDay ? time : `${iso.slice(isOneYear ? 5 : 0, 10)} ${time}`;
  };
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

/** Rows in columns, two spaces between them; the last column is not padded. */
export const columns = (rows: readonly (readonly string[])[]): string[] => {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => cellsOf(row[at] ?? ""))),
  );
  return rows.map((row) =>
    row
      .map((cell, at) => (at === row.length - 1 ? cell : padCells(cell, widths[at] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
};

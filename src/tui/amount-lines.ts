import type { Calculation } from "../contract/control/calculation.ts";
import { calculationLines } from "../rows/calculation.ts";
import type { RowContext } from "../rows/column.ts";
import { span } from "../rows/span.ts";
import { padTo, widthOf } from "../text/text-width.ts";
import { LABEL_WIDTH } from "./labelled.ts";
import { type Line, textLine } from "./line.ts";

/** Cells between an amount and its sum. */
const GAP = 2;

const widest = (texts: readonly string[]) => Math.max(0, ...texts.map(widthOf));

/** Each step behind the amounts of a payment, with its sum beside it where it fits, else below. */
export const amountLines = (of: Calculation, { width }: RowContext): Line[] => {
  const steps = calculationLines(of);
  const nameWidth = Math.max(LABEL_WIDTH, widest(steps.map(({ name }) => name)) + 1);
  const amountWidth = widest(steps.map(({ amount }) => amount));
  const column = nameWidth + amountWidth + GAP;
  return steps.flatMap(({ name, says, rounding, amount }): Line[] => {
    const exact = rounding === undefined ? undefined : `(${rounding})`;
    const texts = [says, exact].filter((one) => one !== undefined);
    const joined = texts.join(" ");
    const fits = (text: string) => column + widthOf(text) <= width;
    const sums = joined !== "" && fits(joined) ? [joined] : texts;
    const [beside, ...below] = sums.every(fits) ? sums : [undefined, ...sums];
    const hang = " ".repeat(beside === undefined ? LABEL_WIDTH : column);
    return [
      [
        span(padTo(name, nameWidth), "dim"),
        span(padTo(amount, amountWidth, "right")),
        ...(beside === undefined ? [] : [span(`${" ".repeat(GAP)}${beside}`)]),
      ],
      ...below.map((text) => textLine(hang + text)),
    ];
  });
};

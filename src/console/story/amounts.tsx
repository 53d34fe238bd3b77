import type { Calculation } from "../../contract/control/calculation.ts";
import { calculationLines } from "../../rows/calculation.ts";
import { Pane } from "../parts/pane.tsx";
import css from "./amounts.module.css";

/** Each step behind the amounts of a payment: rate, fees, roundings. */
export const Amounts = ({ of }: { of: Calculation | undefined }) =>
  of && (
    <Pane title="Amounts" isQuiet className={css.amounts} note="each cent">
      <table>
        <tbody>
          {calculationLines(of).map(({ name, says, rounding, amount }) => (
            <tr key={name}>
              <td>{name}</td>
              <td className="s">
                <span className="m">{says}</span>
                {rounding !== undefined && <span className="d"> ({rounding})</span>}
              </td>
              <td className="r m">{amount}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Pane>
  );

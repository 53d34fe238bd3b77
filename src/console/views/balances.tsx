import type { Ledger } from "../../contract/control/ledger.ts";
import { counted, money } from "../../text/layout.ts";
import { Table } from "../parts/table.tsx";
import { IdLink, Status } from "../parts/text.tsx";
import { useRead } from "../use-console.ts";
import css from "./balances.module.css";

/** The sum of each currency, which is zero, and behind it the balance of every account. */
export const Balances = () => {
  const { body } = useRead<Ledger>("/ledger?limit=1");
  if (!body || body.balances.length === 0) return null;
  const totals = Object.entries(body.totals);
  return (
    <details className={css.balances}>
      <summary>
        {totals.map(([code, total]) => (
          <Status key={code} mark={total === 0 ? "done" : "failed"}>
            {`${code} ${total}`}
          </Status>
        ))}{" "}
        <span className="d">in {counted(body.balances.length, "balance")}</span>
      </summary>
      <Table label="Balances">
        {body.balances.map(({ account, currency, amount }) => (
          <tr key={`${account} ${currency}`}>
            <td>
              <IdLink id={account} />
            </td>
            <td className="r m">{money(amount, currency)}</td>
          </tr>
        ))}
      </Table>
    </details>
  );
};

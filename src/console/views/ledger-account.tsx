import type { Ledger } from "../../contract/control/ledger.ts";
import { money } from "../../text/layout.ts";
import pane from "../parts/pane.module.css";
import { Loading, Title } from "../parts/pane.tsx";
import { BalancePlot } from "../parts/step-plot.tsx";
import { useRead } from "../use-console.ts";
import { Missing } from "./not-found.tsx";
import { Statement } from "./statement.tsx";

/** One of the ledger's own accounts: its balances over time, and its postings. */
export const LedgerAccount = ({ id }: { id: string }) => {
  const { body, refused } = useRead<Ledger>(`/ledger?account=${encodeURIComponent(id)}&limit=1`);
  if (refused) return <Missing id={id} refused={refused} />;
  if (!body) return <Loading />;
  return (
    <>
      <p className={pane.crumb}>
        <a href="#/ledger">Ledger</a> ›
      </p>
      <Title>{id}</Title>
      {body.balances.length === 0 && <p className="more">No postings yet</p>}
      {body.balances.map(({ currency, amount }) => (
        <div key={currency}>
          <p className={pane.big}>{money(amount, currency)}</p>
          <BalancePlot account={id} currency={currency} />
        </div>
      ))}
      <Statement account={id} />
    </>
  );
};

import type { Ledger, Posting } from "../../contract/control/ledger.ts";
import { money } from "../../text/layout.ts";
import { safeText } from "../../text/safe-text.ts";
import { Act } from "../parts/act.tsx";
import { Pane } from "../parts/pane.tsx";
import { Table } from "../parts/table.tsx";
import { IdLink } from "../parts/text.tsx";
import { usePages } from "../use-console.ts";

const PAGE_POSTINGS = 50;

/** The call or the timer behind a posting. */
const Cause = ({ of }: { of: string }) => {
  if (of.startsWith("req-")) return <IdLink id={of} />;
  const [name = "", subject] = of.split(" ");
  return (
    <>
      <span className="m">{safeText(name)}</span> {subject !== undefined && <IdLink id={subject} />}
    </>
  );
};

const signed = ({ amount, currency }: Posting) =>
  `${amount > 0 ? "+" : ""}${money(amount, currency)}`;

/** All postings of an account, the newest first, each with the balance after it. */
export const Statement = ({ account }: { account: string }) => {
  const { pages, hasMore, isBusy, more } = usePages<Ledger>(
    `/ledger?account=${encodeURIComponent(account)}&limit=${PAGE_POSTINGS}`,
  );
  const rows = pages.flatMap(({ postings }) => postings);
  if (rows.length === 0) return null;
  return (
    <Pane title="Statement" isQuiet note="newest first">
      <Table
        label="Statement"
        heads={[["time"], ["cause"], ["amount", "r"], ["balance after", "r"]]}
      >
        {rows.map((row) => (
          <tr key={row.id}>
            <td className="m">{row.at.slice(0, 19).replace("T", " ")}</td>
            <td>
              <Cause of={row.cause} />
            </td>
            <td className="r m">{signed(row)}</td>
            <td className="r m">{row.balance !== undefined && money(row.balance, row.currency)}</td>
          </tr>
        ))}
      </Table>
      {hasMore && (
        <div className="acts">
          <Act isSmall isDisabled={isBusy} onAct={more}>
            Show older
          </Act>
        </div>
      )}
    </Pane>
  );
};

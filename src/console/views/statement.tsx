import { useState } from "react";
import type { Ledger, Posting } from "../../contract/control/ledger.ts";
import { money } from "../../text/layout.ts";
import { safeText } from "../../text/safe-text.ts";
import { Pane } from "../parts/pane.tsx";
import { Scroll } from "../parts/scroll.tsx";
import { IdLink } from "../parts/text.tsx";
import { useAction, useConsole, useIsLive, useRead } from "../use-console.ts";

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
  const { control } = useConsole();
  const { run, isBusy } = useAction();
  const isLive = useIsLive();
  const path = `/ledger?account=${encodeURIComponent(account)}&limit=${PAGE_POSTINGS}`;
  const { body } = useRead<Ledger>(path);
  const [older, setOlder] = useState<{ rows: readonly Posting[]; cursor: string | undefined }>();
  if (!body || body.postings.length === 0) return null;
  const known = new Set(body.postings.map(({ id }) => id));
  const rows = [...body.postings, ...(older?.rows ?? []).filter(({ id }) => !known.has(id))];
  const cursor = older ? older.cursor : body.nextCursor;
  const more = () =>
    void run(async () => {
      const page = await control.get<Ledger>(`${path}&cursor=${encodeURIComponent(cursor ?? "")}`);
      const before = older?.rows ?? body.postings;
      setOlder({ rows: [...before, ...page.postings], cursor: page.nextCursor });
      return undefined;
    });
  return (
    <Pane title="Statement" isQuiet note="newest first">
      <Scroll label="Statement">
        <table>
          <thead>
            <tr>
              <th>at</th>
              <th>because of</th>
              <th className="r">amount</th>
              <th className="r">balance after</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id}>
                <td className="m">{row.at.slice(0, 19).replace("T", " ")}</td>
                <td>
                  <Cause of={row.cause} />
                </td>
                <td className="r m">{signed(row)}</td>
                <td className="r m">
                  {row.balance !== undefined && money(row.balance, row.currency)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {cursor !== undefined && (
        <div className="acts">
          <button type="button" className="btn small" disabled={!isLive || isBusy} onClick={more}>
            Older postings
          </button>
        </div>
      )}
    </Pane>
  );
};

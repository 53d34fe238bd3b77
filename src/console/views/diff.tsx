import type { Diff as Differences, RecordChange } from "../../contract/control/diff.ts";
import { counted, money } from "../../text/layout.ts";
import field from "../parts/field.module.css";
import { Field } from "../parts/field.tsx";
import pane from "../parts/pane.module.css";
import { Loading, Pane, Title } from "../parts/pane.tsx";
import { IdLink, Mark } from "../parts/text.tsx";
import { useQueryValue } from "../routes.ts";
import { useRead } from "../use-console.ts";
import { Missing } from "./not-found.tsx";

const valueText = (value: unknown) => (value === undefined ? "nothing" : JSON.stringify(value));

const ChangeRow = ({ of: { id, change, fields } }: { of: RecordChange }) => (
  <details>
    <summary>
      <span className={change === "added" ? "done" : change === "removed" ? "over" : "waits"}>
        <Mark name={change === "added" ? "done" : change === "removed" ? "over" : "waits"} />{" "}
        {change}
      </span>{" "}
      <span className="m">{id.replace(/:.*(?=.{6}$)/, ":…")}</span>{" "}
      <span className="d">{counted(fields.length, "field")}</span>
    </summary>
    <p>
      <IdLink id={id} whole />
    </p>
    <dl className={`${pane.kv} ${pane.wide}`}>
      {fields.map(({ field, from, to }) => (
        <div key={field}>
          <dt className="m">{field}</dt>
          <dd className="m">
            {valueText(from)} → <b>{valueText(to)}</b>
          </dd>
        </div>
      ))}
    </dl>
  </details>
);

/** Differences of two states, as a page to read. */
export const Diff = () => {
  const [from, setFrom] = useQueryValue("from");
  const [to, setTo] = useQueryValue("to");
  const path = `/diff?from=${encodeURIComponent(from || "now")}&to=${encodeURIComponent(to || "now")}`;
  const { body, refused } = useRead<Differences>(path);
  if (refused) return <Missing id={`${from} → ${to}`} refused={refused} />;
  if (!body) return <Loading />;
  const byKind = [...Map.groupBy(body.records, ({ kind }) => kind)];
  const said = byKind.map(([kind, rows]) => counted(rows.length, kind)).join(", ");
  return (
    <>
      <Title>Diff</Title>
      <div className={field.inline}>
        <Field isInline label="From">
          <input
            value={from}
            placeholder="snapshot:before-reset"
            onChange={({ target }) => setFrom(target.value)}
          />
        </Field>
        <Field isInline label="To">
          <input value={to} placeholder="now" onChange={({ target }) => setTo(target.value)} />
        </Field>
      </div>
      <p className="say">
        {body.counts.records === 0
          ? "No records differ."
          : `Different: ${said}, ${counted(body.counts.balances, "balance")}, ${counted(body.counts.timers, "timer")} and ${counted(body.counts.webhooks, "webhook")}.`}
      </p>
      {byKind.map(([kind, rows]) => (
        <Pane key={kind} title={kind} note={rows.length} isQuiet>
          {rows.map((row) => (
            <ChangeRow key={row.id} of={row} />
          ))}
        </Pane>
      ))}
      {body.balances.length > 0 && (
        <Pane title="Balances" isQuiet note={body.balances.length}>
          <table>
            <tbody>
              {body.balances.map(({ account, currency, from: before, to: after }) => (
                <tr key={`${account} ${currency}`}>
                  <td>
                    <IdLink id={account} />
                  </td>
                  <td className="r m">{money(before, currency)}</td>
                  <td>→</td>
                  <td className="r m b">{money(after, currency)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Pane>
      )}
      {body.timers.length > 0 && (
        <Pane title="Timers" isQuiet note={body.timers.length}>
          <table>
            <tbody>
              {body.timers.map(({ timer, subject, change, from: before, to: after }) => (
                <tr key={`${timer} ${subject}`}>
                  <td className="m clock">@ {timer}</td>
                  <td>
                    <IdLink id={subject} />
                  </td>
                  <td>{change}</td>
                  <td className="m">
                    {before?.slice(11, 19) ?? ""} → {after?.slice(11, 19) ?? ""}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Pane>
      )}
    </>
  );
};

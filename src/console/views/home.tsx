import { approvals, isWaiting, payeeName, waitingIn, waitsBecause } from "../../rows/approvals.ts";
import { elapsed } from "../../rows/clock-face.ts";
import { deliveries } from "../../rows/deliveries.ts";
import { areStepsDue } from "../../rows/first-payout.ts";
import { payments } from "../../rows/payments.ts";
import { requests } from "../../rows/requests.ts";
import { countIn, countMatching } from "../../rows/world.ts";
import { counted, money } from "../../text/layout.ts";
import { safeText } from "../../text/safe-text.ts";
import { Act } from "../parts/act.tsx";
import pane from "../parts/pane.module.css";
import { Pane } from "../parts/pane.tsx";
import { RowList } from "../parts/row-list.tsx";
import { Mark } from "../parts/text.tsx";
import { placeOf } from "../routes.ts";
import { useRowContext, useWatched } from "../use-console.ts";
import { useDecisions } from "./decisions.tsx";
import { FirstSteps } from "./first-steps.tsx";
import css from "./home.module.css";

const MOST = { payments: 8, webhooks: 8, requests: 6, approvals: 3 } as const;

/** Keys of the first approval. */
const APPROVE = { does: "approve", shortcut: "A" } as const;
const REJECT = { does: "reject", shortcut: "X" } as const;

const Waiting = () => {
  const watched = useWatched();
  const context = useRowContext();
  const { approve, openReject } = useDecisions();
  const waiting = waitingIn(watched.lists.approvals);
  return (
    <Pane
      title="Approvals"
      className={css.first}
      note={waiting.length > 0 && `${countMatching(watched, "approvals", isWaiting).text} waiting`}
      end={
        <a className="link" href="#/approvals">
          all
        </a>
      }
    >
      {waiting.length === 0 && <p className="more">{approvals.empty}</p>}
      {waiting.slice(0, MOST.approvals).map((row, at) => (
        <div key={row.id} className={css.card}>
          <div>
            <a className={pane.big} href={`#${placeOf(row.id)}`}>
              {money(row.amount, row.currency)}
            </a>{" "}
            <span className="asks m">
              <Mark name="asks" /> {elapsed(row.createdAt, context)}
            </span>
          </div>
          <div>{safeText(`${row.agentName} → ${payeeName(row, context)}`)}</div>
          <div className="s">{waitsBecause(row)}</div>
          <div className="acts">
            <Act look="main" {...(at === 0 && APPROVE)} onAct={() => approve(row)}>
              Approve
            </Act>
            <Act {...(at === 0 && REJECT)} onAct={() => openReject(row)}>
              Reject…
            </Act>
          </div>
        </div>
      ))}
    </Pane>
  );
};

const Money = () => {
  const { held, totals } = useWatched();
  return (
    <Pane title="Money" isQuiet note="in all accounts">
      <table>
        <tbody>
          {Object.entries(held).map(([code, amount]) => (
            <tr key={code}>
              <td>{code}</td>
              <td className="r m">{money(amount, code)}</td>
              <td className={`r m ${totals[code] === 0 ? "done" : "failed"}`}>
                <Mark name={totals[code] === 0 ? "done" : "failed"} />{" "}
                {totals[code] === 0 ? "balanced" : `off by ${totals[code] ?? 0}`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {Object.keys(held).length === 0 && <p className="more">No account holds money yet</p>}
    </Pane>
  );
};

/** Open payments, actions that wait for a person, and the latest calls and webhooks. */
export const Home = () => {
  const watched = useWatched();
  const { lists } = watched;
  const isNew = areStepsDue(lists);
  return (
    <>
      <h1 className="vh" tabIndex={-1}>
        Home
      </h1>
      <div className={css.cols}>
        <div>
          {isNew && <FirstSteps />}
          <Pane
            title="Payments"
            note={payments.order}
            end={
              <a className="link" href="#/payments">
                {counted(countIn(watched, "payments"), "payment")}
              </a>
            }
          >
            <RowList
              list={payments}
              rows={lists.payments}
              label="Newest payments"
              hrefOf={(row) => placeOf(row.id)}
              most={MOST.payments}
            />
          </Pane>
          <Pane
            title="Webhooks"
            note={deliveries.order}
            end={
              <a className="link" href="#/webhooks">
                {counted(countIn(watched, "deliveries"), "webhook")}
              </a>
            }
          >
            <RowList
              list={deliveries}
              rows={lists.deliveries}
              label="Newest webhooks"
              hrefOf={(row) => placeOf(row.id)}
              most={MOST.webhooks}
            />
          </Pane>
        </div>
        <div>
          <Waiting />
          <Money />
          <Pane
            title="Requests"
            isQuiet
            end={
              <a className="link" href="#/requests">
                all
              </a>
            }
          >
            <RowList
              list={requests}
              rows={lists.requests}
              label="Newest requests"
              hrefOf={(row) => placeOf(row.id)}
              most={MOST.requests}
            />
          </Pane>
        </div>
      </div>
    </>
  );
};

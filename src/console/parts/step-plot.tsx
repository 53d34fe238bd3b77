import type { BalanceSeries } from "../../contract/control/ledger.ts";
import { counted, money } from "../../text/layout.ts";
import { useRead } from "../use-console.ts";
import css from "./step-plot.module.css";

const WIDTH = 600;
const HEIGHT = 40;

/** One path of steps: flat until a change, then straight up or down. */
export const stepPath = (
  points: readonly { atMs: number; amount: number }[],
  toMs: number,
): string => {
  const [first] = points;
  if (!first) return "";
  const amounts = points.map(({ amount }) => amount);
  const [low, high] = [Math.min(0, ...amounts), Math.max(1, ...amounts)];
  const spanMs = Math.max(1, toMs - first.atMs);
  const x = (atMs: number) => (((atMs - first.atMs) / spanMs) * WIDTH).toFixed(1);
  const y = (amount: number) =>
    (HEIGHT - 1 - ((amount - low) / (high - low)) * (HEIGHT - 2)).toFixed(1);
  const steps = points.map(({ atMs, amount }) => `H${x(atMs)}V${y(amount)}`).join("");
  return `M0 ${y(first.amount)}${steps}H${WIDTH}`;
};

/** A balance over simulated time. */
export const BalancePlot = ({ account, currency }: { account: string; currency: string }) => {
  const { body } = useRead<BalanceSeries>(
    `/ledger/series?account=${encodeURIComponent(account)}&currency=${currency}`,
  );
  if (!body || body.points.length < 2) return null;
  const points = body.points.map(({ at, amount }) => ({ atMs: Date.parse(at), amount }));
  const amounts = points.map(({ amount }) => amount);
  const last = amounts.at(-1) ?? 0;
  return (
    <figure className={css.plot}>
      <figcaption>
        Balance <span className="d">{counted(points.length - 1, "change")}</span>
      </figcaption>
      <div className={`${css.levels} m d`}>
        <span>{money(Math.max(1, ...amounts), currency)}</span>
        <span>{money(Math.min(0, ...amounts), currency)}</span>
      </div>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Balance in ${points.length} steps, now ${money(last, currency)}`}
      >
        <path d={stepPath(points, Date.parse(body.to))} />
      </svg>
      <div className={`${css.dates} m d`}>
        <span>{body.from.slice(0, 19).replace("T", " ")}</span>
        <span>{body.to.slice(0, 19).replace("T", " ")}</span>
      </div>
    </figure>
  );
};

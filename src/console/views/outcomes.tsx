import type * as z from "zod";
import type { OutcomeGroups, TimelineEntry } from "../../contract/control/outcomes.ts";
import { showDuration } from "../../domain/core/durations.ts";
import { Pane, Title } from "../parts/pane.tsx";
import { Scroll } from "../parts/scroll.tsx";
import { useQueryValue } from "../routes.ts";
import { useAction, useConsole, useIsLive, useRead } from "../use-console.ts";

/** The consequences of a row, step by step. */
const Timeline = ({ of }: { of: readonly TimelineEntry[] }) =>
  of.map(({ atMs, then: says, failureReason, refundReason }) => (
    <div key={`${atMs} ${says}`}>
      <span className="m">{says}</span>{" "}
      <span className="d">
        {atMs > 0 ? `after ${showDuration(atMs)}` : "at once"}
        {(failureReason ?? refundReason) !== undefined && `, ${failureReason ?? refundReason}`}
      </span>
    </div>
  ));

/** Every ending and what it does; the next one can be set. */
export const Outcomes = () => {
  const { control } = useConsole();
  const { body } = useRead<z.infer<typeof OutcomeGroups>>("/outcomes");
  const { run, isBusy } = useAction();
  const isLive = useIsLive();
  const [q, setQ] = useQueryValue("q");
  const wanted = q.toLowerCase();
  const next = (rule: string) =>
    void run(async () => {
      await control.send("POST", "/outcomes/next", { rule });
      return { text: `The next one takes ${rule}` };
    });
  return (
    <>
      <Title>Outcomes</Title>
      <p className="say">The ending of an identifier decides how things go.</p>
      <div className="filter">
        <label className="search">
          <span className="vh">Search outcomes</span>
          <input
            type="search"
            value={q}
            placeholder="payment, 003, declined"
            onChange={({ target }) => setQ(target.value)}
          />
          <kbd>/</kbd>
        </label>
      </div>
      {body?.data.map(({ group, title, reads, rows }) => {
        const shown = rows.filter(({ match, says }) =>
          `${title} ${match} ${says}`.toLowerCase().includes(wanted),
        );
        if (shown.length === 0) return null;
        return (
          <Pane key={group} title={title} isQuiet note={reads}>
            <Scroll label={title}>
              <table>
                <tbody>
                  {shown.map(({ match, rule, says, timeline }) => (
                    <tr key={rule}>
                      <td className="m b">{match}</td>
                      <td className="wrap">{says}</td>
                      <td className="wrap">
                        <Timeline of={timeline} />
                      </td>
                      <td className="r">
                        <button
                          type="button"
                          className="btn small"
                          disabled={!isLive || isBusy}
                          onClick={() => next(rule)}
                        >
                          Next one
                        </button>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </Scroll>
          </Pane>
        );
      })}
    </>
  );
};

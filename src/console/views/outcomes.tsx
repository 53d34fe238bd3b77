import type * as z from "zod";
import type { OutcomeGroups, TimelineEntry } from "../../contract/control/outcomes.ts";
import { showDuration } from "../../domain/core/durations.ts";
import { Act } from "../parts/act.tsx";
import { Pane, Title } from "../parts/pane.tsx";
import search from "../parts/search.module.css";
import { Search } from "../parts/search.tsx";
import { Table } from "../parts/table.tsx";
import { useQueryValue } from "../routes.ts";
import { useConsole, useRead } from "../use-console.ts";

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
  const [q, setQ] = useQueryValue("q");
  const wanted = q.toLowerCase();
  const setNext = async (rule: string) => {
    await control.send("POST", "/outcomes/next", { rule });
    return { text: `${rule} is used next time, once` };
  };
  return (
    <>
      <Title>Outcomes</Title>
      <p className="say">
        The last characters of an account number or another identifier decide what happens.
      </p>
      <div className={search.filter}>
        <Search
          label="Search outcomes"
          value={q}
          placeholder="payment, 003, declined"
          onChange={setQ}
        />
      </div>
      {body?.data.map(({ group, title, reads, rows }) => {
        const shown = rows.filter(({ match, says }) =>
          `${title} ${match} ${says}`.toLowerCase().includes(wanted),
        );
        if (shown.length === 0) return null;
        return (
          <Pane key={group} title={title} isQuiet note={reads}>
            <Table label={title}>
              {shown.map(({ match, rule, says, timeline }) => (
                <tr key={rule}>
                  <td className="m b">{match}</td>
                  <td className="wrap">{says}</td>
                  <td className="wrap">
                    <Timeline of={timeline} />
                  </td>
                  <td className="r">
                    <Act isSmall label={`Use next time: ${rule}`} onAct={() => setNext(rule)}>
                      Use next time
                    </Act>
                  </td>
                </tr>
              ))}
            </Table>
          </Pane>
        );
      })}
    </>
  );
};

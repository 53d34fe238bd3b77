import type * as z from "zod";
import type { OutcomeGroups } from "../../contract/control/outcomes.ts";
import { useCopy } from "../parts/copy.tsx";
import { useAction, useConsole, useIsLive, useRead } from "../use-console.ts";

/** Lets the next payment like this one end in another way. */
export const Otherwise = ({ rule }: { rule: string }) => {
  const group = rule.slice(0, rule.indexOf("."));
  const { body } = useRead<z.infer<typeof OutcomeGroups>>("/outcomes");
  const { control } = useConsole();
  const { run } = useAction();
  const copy = useCopy();
  const isLive = useIsLive();
  const rows = body?.data.find((one) => one.group === group)?.rows ?? [];
  if (rows.length === 0) return null;
  const next = (wanted: string) =>
    void run(async () => {
      await control.send("POST", "/outcomes/next", { rule: wanted });
      return { text: `The next one like this ends as ${wanted} says` };
    });
  return (
    <section className="pane q more-on">
      <header>
        <h2>Make it end otherwise</h2>
        <span>by the ending of the payee’s number</span>
      </header>
      <ul className="otherwise">
        {rows.map(({ match, says, rule: own }) => (
          <li key={own}>
            <b className="m">{match}</b>
            <span title={says}>
              {says}
              {own === rule && <span className="d"> (this one)</span>}
            </span>
            {/^\d+$/.test(match) && (
              <button
                type="button"
                className="btn small"
                onClick={() => void copy(match, `the ending ${match}`)}
              >
                Copy
              </button>
            )}
            <button
              type="button"
              className="btn small"
              disabled={!isLive}
              onClick={() => next(own)}
            >
              Next one
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
};

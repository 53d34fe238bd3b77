import type * as z from "zod";
import type { OutcomeGroups, OutcomeRow } from "../../contract/control/outcomes.ts";
import type { Story } from "../../contract/control/why.ts";
import { safeText } from "../../text/safe-text.ts";
import { Act } from "../parts/act.tsx";
import { useCopy } from "../parts/copy.tsx";
import { Pane } from "../parts/pane.tsx";
import { Table } from "../parts/table.tsx";
import { go, placeOf } from "../routes.ts";
import { useConsole, useRead } from "../use-console.ts";
import { nextIdentifier } from "./next-identifier.ts";
import css from "./otherwise.module.css";
import { endRead, repeatPayment } from "./repeat-payment.ts";

/** One outcome: the identifier that leads to it, and the payment made again with it. */
const Outcome = ({
  row: { match, says, rule },
  story,
  isPresent,
}: {
  row: OutcomeRow;
  story: Story;
  isPresent: boolean;
}) => {
  const { control } = useConsole();
  const copy = useCopy();
  const group = rule.slice(0, rule.indexOf("."));
  const identifier = story.identifiers?.[endRead(group)];
  const value = identifier && nextIdentifier(identifier.value, match);
  const repeat = async () => {
    const id = await repeatPayment(control, { story, group, value: value ?? "" });
    go(placeOf(id));
    return { text: `Made again with ${identifier?.field} ${value}` };
  };
  const setNext = async () => {
    await control.send("POST", "/outcomes/next", { rule });
    return { text: `The next payment like this one ends as ${rule} says` };
  };
  return (
    <tr>
      <td>
        <b className="m">{match}</b>
      </td>
      <td>
        {safeText(says)}
        {isPresent && <span className="d"> (this payment)</span>}
        {value !== undefined && <div className="m s">{safeText(value)}</div>}
      </td>
      <td>
        <span className="acts">
          {value !== undefined && (
            <>
              <Act isSmall isLocal label={`Copy ${value}`} onAct={() => void copy(value, value)}>
                Copy
              </Act>
              <Act isSmall label={`Pay again with ${value}`} onAct={repeat}>
                Pay again
              </Act>
            </>
          )}
          <Act isSmall label={`Use for next payment: ${match}`} onAct={setNext}>
            Use for next payment
          </Act>
        </span>
      </td>
    </tr>
  );
};

/** Every outcome of payments like one, and how to get it. */
export const Otherwise = ({ rule, story }: { rule: string; story: Story }) => {
  const group = rule.slice(0, rule.indexOf("."));
  const { body } = useRead<z.infer<typeof OutcomeGroups>>("/outcomes");
  const found = body?.data.find((one) => one.group === group);
  if (!found) return null;
  return (
    <Pane
      title="Try another outcome"
      className={css.otherwise}
      isQuiet
      note={`chosen by ${safeText(found.reads)}`}
    >
      <Table label="Outcomes">
        {found.rows.map((row) => (
          <Outcome key={row.rule} row={row} story={story} isPresent={row.rule === rule} />
        ))}
      </Table>
    </Pane>
  );
};

import type * as z from "zod";
import type { OutcomeGroups } from "../../contract/control/outcomes.ts";
import type { RecordRow } from "../../contract/control/records.ts";
import { safeText } from "../../text/safe-text.ts";
import { useRead } from "../use-console.ts";
import { idsIn, type PlacedId, withId } from "./body-ids.ts";
import { optionText, type RowsByKind } from "./record-options.ts";

/** The outcome table that an account's ending chooses from, by the operation that names it. */
const GROUPS: Readonly<Record<string, string>> = {
  createQuote: "quotedPayment",
  createTransferOut: "transferOut",
  createTransferIn: "transferIn",
};

/** The effect of the chosen account's ending. */
const Ending = ({ of: { name = "" }, operationId }: { of: RecordRow; operationId: string }) => {
  const { body } = useRead<z.infer<typeof OutcomeGroups>>("/outcomes");
  const rows = body?.data.find(({ group }) => group === GROUPS[operationId])?.rows ?? [];
  const ending = safeText(name.slice(-3));
  const row =
    rows.find(({ match }) => match === ending) ?? rows.find((one) => one.match === "otherwise");
  if (!row) return null;
  return (
    <span className="d">
      ends in <b className="m">{ending}</b>: {row.says}
    </span>
  );
};

interface PickersProps {
  text: string;
  records: RowsByKind;
  operationId: string;
  onChange(text: string): void;
}

const Picker = ({ of: { at, kind, id }, ...props }: PickersProps & { of: PlacedId }) => {
  const { text, records, operationId, onChange } = props;
  const rows = records[kind] ?? [];
  const chosen = rows.find((row) => row.id === id);
  return (
    <label className="field">
      <span>{at.join(".")}</span>
      <select value={id} onChange={({ target }) => onChange(withId(text, at, target.value))}>
        {!chosen && <option value={id}>{id}</option>}
        {rows.map((row) => (
          <option key={row.id} value={row.id}>
            {optionText(row)}
          </option>
        ))}
      </select>
      {kind === "ExternalAccount" && chosen && <Ending of={chosen} operationId={operationId} />}
    </label>
  );
};

/** A choice for each id of a body among the records that exist, with names and balances. */
export const IdPickers = (props: PickersProps) =>
  idsIn(props.text)
    .filter(({ kind }) => (props.records[kind]?.length ?? 0) > 0)
    .map((one) => <Picker key={one.at.join(".")} of={one} {...props} />);

import type * as z from "zod";
import type { OutcomeGroups } from "../../contract/control/outcomes.ts";
import type { RecordRow } from "../../contract/control/records.ts";
import { safeText } from "../../text/safe-text.ts";
import field from "../parts/field.module.css";
import { useRead } from "../use-console.ts";
import { optionText, type RowsByKind } from "./record-options.ts";

/** An id in a body, and the names of the members that lead to it. */
export interface PlacedId {
  at: readonly (string | number)[];
  kind: string;
  id: string;
}

const ID = /^([A-Z][A-Za-z]+):[0-9a-f-]{36}$/;

const within = (value: unknown, at: PlacedId["at"]): PlacedId[] => {
  if (typeof value === "string") {
    const kind = ID.exec(value)?.[1];
    return kind === undefined ? [] : [{ at, kind, id: value }];
  }
  if (Array.isArray(value)) return value.flatMap((one, place) => within(one, [...at, place]));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => within(one, [...at, name]));
};

/** The ids of records in a JSON text; none in a text that is not JSON yet. */
export const idsIn = (text: string): PlacedId[] => {
  try {
    return within(JSON.parse(text), []);
  } catch {
    return [];
  }
};

const put = (value: unknown, [name, ...rest]: PlacedId["at"], id: string): unknown => {
  if (name === undefined) return id;
  if (Array.isArray(value))
    return value.map((one, place) => (place === name ? put(one, rest, id) : one));
  const object = value as Record<string, unknown>;
  return { ...object, [name]: put(object[String(name)], rest, id) };
};

/** The same JSON text with another id at a place. */
export const withId = (text: string, at: PlacedId["at"], id: string): string =>
  JSON.stringify(put(JSON.parse(text), at, id), null, 2);

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
    <label className={field.field}>
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

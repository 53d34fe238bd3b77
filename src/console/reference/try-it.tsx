import { type FormEvent, useEffect, useState } from "react";
import type { Called } from "../../contract/control/called.ts";
import { RECORD_KINDS } from "../../contract/control/record-kinds.ts";
import type { RecordList, RecordRow } from "../../contract/control/records.ts";
import { CallCode } from "../parts/call-code.tsx";
import { indented, Json } from "../parts/json.tsx";
import { Pane } from "../parts/pane.tsx";
import { IdLink, Status } from "../parts/text.tsx";
import { useAction, useConsole, useIsLive } from "../use-console.ts";
import {
  bodySchema,
  type Document,
  type Parameter,
  type PathOperation,
  resolved,
} from "./document.ts";
import { IdPickers } from "./id-pickers.tsx";
import { optionText, type RowsByKind } from "./record-options.ts";
import { kindNamed, sampleOf } from "./sample.ts";

const MOST_CHOICES = 50;

/** Records that exist, to choose ids from; read once when a page opens. */
const useRecords = (): RowsByKind | undefined => {
  const { control } = useConsole();
  const [rows, setRows] = useState<RowsByKind>();
  useEffect(() => {
    let isOver = false;
    const read = async () => {
      const lists = await Promise.all(
        RECORD_KINDS.map((kind) =>
          control.get<RecordList>(`/records?kind=${kind}&limit=${MOST_CHOICES}`),
        ),
      );
      if (!isOver)
        setRows(Object.fromEntries(RECORD_KINDS.map((kind, at) => [kind, lists[at]?.data ?? []])));
    };
    void read().catch(() => setRows({}));
    return () => {
      isOver = true;
    };
  }, [control]);
  return rows;
};

const ValueField = ({
  parameter,
  rows,
  value,
  onChange,
}: {
  parameter: Parameter;
  rows: readonly RecordRow[];
  value: string;
  onChange(value: string): void;
}) => (
  <label className="field">
    <span>
      {parameter.name}
      {parameter.required ? "" : <span className="d"> may be left out</span>}
    </span>
    {rows.length > 0 ? (
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        {!parameter.required && <option value="">left out</option>}
        {rows.map((row) => (
          <option key={row.id} value={row.id}>
            {optionText(row)}
          </option>
        ))}
      </select>
    ) : (
      <input value={value} onChange={({ target }) => onChange(target.value)} spellCheck={false} />
    )}
  </label>
);

const filled = (path: string, values: Readonly<Record<string, string>>) =>
  path.replace(/\{([^}]+)\}/g, (whole, name: string) => values[name] || whole);

const isJson = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** A call filled with what exists, ready to be sent. */
export const TryIt = ({
  document,
  operation,
}: {
  document: Document;
  operation: PathOperation;
}) => {
  const records = useRecords();
  return records ? <Form {...{ document, operation, records }} /> : null;
};

const parametersOf = (document: Document, { parameters = [] }: PathOperation) =>
  parameters
    .map((one) => resolved<Parameter>(document, one as Parameter))
    .filter((one) => one.in === "path" || one.in === "query");

const Form = ({
  document,
  operation,
  records,
}: {
  document: Document;
  operation: PathOperation;
  records: RowsByKind;
}) => {
  const { control } = useConsole();
  const { run, isBusy } = useAction();
  const isLive = useIsLive();
  const parameters = parametersOf(document, operation);
  const rowsFor = ({ name, in: place }: Parameter) =>
    records[kindNamed(name, `${place} ${operation.path}`) ?? ""] ?? [];
  const schema = bodySchema(operation.requestBody && resolved(document, operation.requestBody));
  const [values, setValues] = useState<Record<string, string>>(() =>
    Object.fromEntries(
      parameters.map((one) => [one.name, one.required ? (rowsFor(one)[0]?.id ?? "") : ""]),
    ),
  );
  const [body, setBody] = useState(() => {
    if (!schema) return undefined;
    const ids = Object.fromEntries(
      Object.entries(records).map(([kind, rows]) => [kind, rows.map(({ id }) => id)]),
    );
    return JSON.stringify(
      sampleOf(schema, { document, ids, place: operation.path, depth: 0 }),
      null,
      2,
    );
  });
  const [answer, setAnswer] = useState<Called>();
  const query = parameters
    .filter((one) => one.in === "query" && values[one.name])
    .map(({ name }) => `${name}=${encodeURIComponent(values[name] ?? "")}`)
    .join("&");
  const path = filled(operation.path, values) + (query === "" ? "" : `?${query}`);
  const isReady = body === undefined || isJson(body);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      const called = await control.send<Called>("POST", "/call", {
        method: operation.method,
        path,
        ...(body !== undefined && { body: JSON.parse(body) }),
      });
      setAnswer(called);
      return undefined;
    });
  };
  return (
    <div className="two">
      <Pane title="Try it first" end="filled with what exists here">
        <form
          className="form"
          onSubmit={submit}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey))
              event.currentTarget.requestSubmit();
          }}
        >
          {parameters.map((one) => (
            <ValueField
              key={one.name}
              parameter={one}
              rows={rowsFor(one)}
              value={values[one.name] ?? ""}
              onChange={(value) => setValues({ ...values, [one.name]: value })}
            />
          ))}
          {body !== undefined && (
            <IdPickers
              text={body}
              records={records}
              operationId={operation.operationId}
              onChange={setBody}
            />
          )}
          {body !== undefined && (
            <label className="field">
              <span>body</span>
              <textarea
                rows={Math.min(18, body.split("\n").length + 1)}
                value={body}
                spellCheck={false}
                onChange={({ target }) => setBody(target.value)}
              />
            </label>
          )}
          <div className="acts">
            <button type="submit" className="btn go" disabled={!isLive || isBusy || !isReady}>
              {isReady ? "Send" : "Not JSON yet"} <kbd>ctrl enter</kbd>
            </button>
          </div>
        </form>
      </Pane>
      <div>
        <Answer of={answer} />
        <CallCode of={{ method: operation.method, path, body }} />
      </div>
    </div>
  );
};

const Answer = ({ of }: { of: Called | undefined }) => {
  if (!of) return null;
  const { status, text, requestId, lost } = of;
  return (
    <Pane
      title="Answer"
      note={
        <Status mark={status !== undefined && status < 400 ? "done" : "failed"}>
          {status === undefined ? "no answer" : String(status)}
        </Status>
      }
      end={requestId !== undefined && <IdLink id={requestId} />}
    >
      <Json text={lost ?? indented(text)} label="Answer" />
      <MadeId text={text} />
    </Pane>
  );
};

/** A link to the record that the call made. */
const MadeId = ({ text }: { text: string }) => {
  const id = /^\{\s*"id"\s*:\s*"([A-Za-z]+:[0-9a-f-]+)"/.exec(text)?.[1];
  return id === undefined ? null : (
    <p className="s">
      See <IdLink id={id} />
    </p>
  );
};

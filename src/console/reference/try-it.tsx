import { useEffect, useState } from "react";
import type { Called } from "../../contract/control/called.ts";
import { RECORD_KINDS } from "../../contract/control/record-kinds.ts";
import type { RecordList, RecordRow } from "../../contract/control/records.ts";
import { Act } from "../parts/act.tsx";
import { CallCode } from "../parts/call-code.tsx";
import field from "../parts/field.module.css";
import { Field, Form } from "../parts/field.tsx";
import { indented, Json } from "../parts/json.tsx";
import pane from "../parts/pane.module.css";
import { Pane } from "../parts/pane.tsx";
import { IdLink, Status } from "../parts/text.tsx";
import { useAction, useConsole } from "../use-console.ts";
import { authorizationOf, CredentialFields, useCredentials } from "./credentials.tsx";
import {
  anyBodySchema,
  type Document,
  formSchema,
  type Parameter,
  type PathOperation,
  resolved,
  type Schema,
} from "./document.ts";
import { IdPickers } from "./id-pickers.tsx";
import { moneyFirst, optionText, type RowsByKind } from "./record-options.ts";
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
        setRows(
          Object.fromEntries(
            RECORD_KINDS.map((kind, at) => [kind, moneyFirst(lists[at]?.data ?? [])]),
          ),
        );
    };
    void read().catch(() => setRows({}));
    return () => {
      isOver = true;
    };
  }, [control]);
  return rows;
};

interface Input {
  document: Document;
  operation: PathOperation;
  records: RowsByKind;
}

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
  <Field label={parameter.name + (parameter.required ? "" : " (optional)")}>
    {rows.length > 0 ? (
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        {!parameter.required && <option value="">none</option>}
        {rows.map((row) => (
          <option key={row.id} value={row.id}>
            {optionText(row)}
          </option>
        ))}
      </select>
    ) : (
      <input value={value} onChange={({ target }) => onChange(target.value)} spellCheck={false} />
    )}
  </Field>
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

/** A call filled with records that exist, ready to be sent. */
export const TryIt = (props: Omit<Input, "records">) => {
  const records = useRecords();
  return records ? <Call {...props} records={records} /> : null;
};

const parametersOf = (document: Document, { parameters = [] }: PathOperation) =>
  parameters
    .map((one) => resolved<Parameter>(document, one as Parameter))
    .filter((one) => one.in === "path" || one.in === "query");

/** Values of path and query, and the path that they make. */
const usePlace = ({ document, operation, records }: Input) => {
  const parameters = parametersOf(document, operation);
  const rowsFor = ({ name, in: place }: Parameter) =>
    records[kindNamed(name, `${place} ${operation.path}`) ?? ""] ?? [];
  const [values, setValues] = useState<Record<string, string>>(() =>
    Object.fromEntries(
      parameters.map((one) => [one.name, one.required ? (rowsFor(one)[0]?.id ?? "") : ""]),
    ),
  );
  const query = parameters
    .filter((one) => one.in === "query" && values[one.name])
    .map(({ name }) => `${name}=${encodeURIComponent(values[name] ?? "")}`)
    .join("&");
  const fields = parameters.map((one) => (
    <ValueField
      key={one.name}
      parameter={one}
      rows={rowsFor(one)}
      value={values[one.name] ?? ""}
      onChange={(value) => setValues({ ...values, [one.name]: value })}
    />
  ));
  return { path: filled(operation.path, values) + (query === "" ? "" : `?${query}`), fields };
};

/** The members of a form beside its file; other bodies as they are. */
const textsOf = (schema: Schema): Schema => {
  const { file: _, ...properties } = schema.properties ?? {};
  const required = schema.required?.filter((name) => name !== "file") ?? [];
  return { ...schema, properties, required };
};

/** The body of a call as JSON text, and the file of one that uploads. */
const useBody = ({ document, operation, records }: Input) => {
  const content = operation.requestBody && resolved(document, operation.requestBody);
  const schema = anyBodySchema(content);
  const isForm = formSchema(content) !== undefined;
  const [file, setFile] = useState<File>();
  const [text, setText] = useState(() => {
    if (!schema) return undefined;
    const ids = Object.fromEntries(
      Object.entries(records).map(([kind, rows]) => [kind, rows.map(({ id }) => id)]),
    );
    const shown = isForm ? textsOf(resolved(document, schema)) : schema;
    const at = { document, ids, place: operation.path, depth: 0 };
    return JSON.stringify(sampleOf(shown, at), null, 2);
  });
  return { text, setText, isForm, file, setFile };
};

const base64Of = async (file: File): Promise<string> => {
  const bytes = new Uint8Array(await file.arrayBuffer());
  // One call with all bytes would be more arguments than a function takes.
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
};

const BodyField = ({ of: { text = "", setText } }: { of: ReturnType<typeof useBody> }) => (
  <Field label="Body">
    <textarea
      rows={Math.min(18, text.split("\n").length + 1)}
      value={text}
      spellCheck={false}
      onChange={({ target }) => setText(target.value)}
    />
  </Field>
);

const Call = (input: Input) => {
  const { operation, records } = input;
  const { control } = useConsole();
  const { run, isBusy } = useAction();
  const { path, fields } = usePlace(input);
  const body = useBody(input);
  const [credentials, setCredentials] = useCredentials(operation);
  const [answer, setAnswer] = useState<Called>();
  const { text, isForm, file } = body;
  const isReady = text === undefined || isJson(text);
  const send = () =>
    void run(async () => {
      const called = await control.send<Called>("POST", "/call", {
        method: operation.method,
        path,
        ...(text !== undefined && { body: JSON.parse(text) }),
        ...(file && { file: { name: file.name, base64: await base64Of(file) } }),
        authorization: authorizationOf(credentials),
      });
      setAnswer(called);
      return undefined;
    });
  const { method, operationId } = operation;
  return (
    <div className={pane.two}>
      <Pane title="Try it" end="filled with records of this world">
        <Form onSend={send}>
          <div className={field.form}>
            <CredentialFields of={credentials} onChange={setCredentials} />
            {fields}
            {text !== undefined && (
              <IdPickers {...{ text, records, operationId }} onChange={body.setText} />
            )}
            {isForm && (
              <Field label="File">
                <input
                  type="file"
                  required
                  onChange={({ target }) => body.setFile(target.files?.[0])}
                />
              </Field>
            )}
            {text !== undefined && <BodyField of={body} />}
            <div className="acts">
              <Act isSubmit look="main" shortcut="ctrl enter" isDisabled={!isReady || isBusy}>
                {isReady ? "Send" : "Not JSON yet"}
              </Act>
            </div>
          </div>
        </Form>
      </Pane>
      <div>
        <Answer of={answer} />
        <CallCode
          of={{ method, path, body: text, caller: credentials.caller, isForm, file: file?.name }}
        />
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

import { docPlace, sectionOf } from "../../contract/core/doc-sections.ts";
import pane from "../parts/pane.module.css";
import { Pane, Title } from "../parts/pane.tsx";
import { Table } from "../parts/table.tsx";
import { DocText, useDoc } from "./doc-text.tsx";
import {
  anyBodySchema,
  bodySchema,
  constraintsOf,
  type Document,
  type Operation,
  type Parameter,
  type PathOperation,
  type Reply,
  resolved,
  typeOf,
} from "./document.ts";
import { type ErrorRow, errorsOf, remediesOf } from "./errors.ts";
import { SchemaView } from "./schema-view.tsx";
import { TryIt } from "./try-it.tsx";

interface Of {
  document: Document;
  operation: Operation;
}

const ParameterRow = ({ document, of }: { document: Document; of: Parameter }) => {
  const schema = of.schema && resolved(document, of.schema);
  return (
    <tr>
      <td className="m b">{of.name}</td>
      <td className="d">{of.in}</td>
      <td className="wrap">
        {[
          of.schema && typeOf(document, of.schema),
          schema && constraintsOf(schema),
          of.required ? "" : "optional",
        ]
          .filter(Boolean)
          .join(", ")}
        {of.description !== undefined && <span className="s"> {of.description}</span>}
      </td>
    </tr>
  );
};

const Parameters = ({ document, operation: { parameters = [] } }: Of) => {
  const rows = parameters.map((parameter) => resolved<Parameter>(document, parameter as Parameter));
  if (rows.length === 0) return null;
  return (
    <Pane title="Parameters" isQuiet note={rows.length}>
      <Table label="Parameters">
        {rows.map((row) => (
          <ParameterRow key={`${row.in} ${row.name}`} document={document} of={row} />
        ))}
      </Table>
    </Pane>
  );
};

const isSuccess = (status: string) => status.startsWith("2");

/** The successful replies; what is refused stands among the errors. */
const Replies = ({ document, operation }: Of) =>
  Object.entries(operation.responses)
    .filter(([status]) => isSuccess(status))
    .map(([status, replyOrRef]) => {
      const reply = resolved<Reply>(document, replyOrRef);
      const schema = bodySchema(reply);
      return (
        <Pane key={status} title="Answer" isQuiet note={`${status} ${reply.description ?? ""}`}>
          {schema ? (
            <SchemaView document={document} schema={schema} />
          ) : (
            <p className="more">No body</p>
          )}
        </Pane>
      );
    });

const ErrorLine = ({ of }: { of: ErrorRow }) => (
  <tr>
    <td className="m">
      <a className="failed" href={`#/reference/errors/${of.word}`}>
        {of.status} {of.code}
      </a>
      {of.reason !== undefined && <div className="d">{of.reason}</div>}
    </td>
    <td className="wrap">
      {of.says}. <span className="d">{remediesOf(of)[0]}</span>
    </td>
  </tr>
);

const Errors = ({ document, operation }: Of) => {
  const errors = errorsOf(document, operation);
  if (errors.length === 0) return null;
  return (
    <Pane title="Errors" isQuiet note={errors.length}>
      <Table label="Errors">
        {errors.map((error) => (
          <ErrorLine key={error.word} of={error} />
        ))}
      </Table>
    </Pane>
  );
};

/** The rules of an operation, as the specification has them. */
const Rules = ({ place }: { place: string }) => {
  const [file = "", anchor = ""] = place.split("#");
  const [view = "", name = ""] = file.replace(/\.md$/, "").split("/");
  const { topic, text } = useDoc(view, name);
  const part = text && sectionOf(text, anchor);
  if (!part) return null;
  return (
    <Pane
      title="Rules"
      isQuiet
      end={
        <a className="link" href={`#${docPlace(topic, anchor)}`}>
          The whole page
        </a>
      }
    >
      <DocText text={part} topic={topic} />
    </Pane>
  );
};

/** Credentials in words, by the security scheme of the document. */
const CREDENTIALS: Readonly<Record<string, string>> = {
  basic: "API token (HTTP Basic)",
  agent: "an agent's access token (Bearer)",
};

const accessOf = ({ security = [], "x-permission": permission }: Operation) => {
  const [scheme] = security.flatMap((one) => Object.keys(one));
  if (scheme === undefined) return "no credentials";
  const needs =
    permission === undefined || permission === "none" ? "" : `, permission ${permission}`;
  return `${CREDENTIALS[scheme] ?? scheme}${needs}`;
};

/** One operation: first the call to try, then what it takes, answers and refuses. */
export const OperationPage = ({
  document,
  operation,
  isOwn,
}: {
  document: Document;
  operation: PathOperation;
  /** Whether it is one of the control surface, which a click should not call. */
  isOwn: boolean;
}) => {
  const schema = anyBodySchema(operation.requestBody && resolved(document, operation.requestBody));
  const spec = operation["x-spec"];
  return (
    <div>
      <Title
        beside={
          <span className="m d">
            {operation.method} {operation.path}
          </span>
        }
      >
        {operation.summary}
      </Title>
      <p className={pane.sub}>
        <code>{operation.operationId}</code>
        {!isOwn && ` · ${accessOf(operation)}`}
      </p>
      {!isOwn && <TryIt key={operation.operationId} document={document} operation={operation} />}
      {spec !== undefined && <Rules place={spec} />}
      <Parameters document={document} operation={operation} />
      {schema && (
        <Pane title="Body" isQuiet>
          <SchemaView document={document} schema={schema} />
        </Pane>
      )}
      <Replies document={document} operation={operation} />
      <Errors document={document} operation={operation} />
    </div>
  );
};

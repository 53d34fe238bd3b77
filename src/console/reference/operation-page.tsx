import { Pane, Title } from "../parts/pane.tsx";
import { Scroll } from "../parts/scroll.tsx";
import {
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
  const values = schema?.enum?.map(String).join(", ");
  return (
    <tr>
      <td className="m b">{of.name}</td>
      <td className="d">{of.in}</td>
      <td className="wrap">
        {[
          of.schema && typeOf(document, of.schema),
          values,
          schema && constraintsOf(schema),
          of.required ? "" : "may be left out",
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
      <Scroll label="Parameters">
        <table>
          <tbody>
            {rows.map((row) => (
              <ParameterRow key={`${row.in} ${row.name}`} document={document} of={row} />
            ))}
          </tbody>
        </table>
      </Scroll>
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
            <p className="more">It has no body</p>
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
      <Scroll label="Errors">
        <table>
          <tbody>
            {errors.map((error) => (
              <ErrorLine key={error.word} of={error} />
            ))}
          </tbody>
        </table>
      </Scroll>
    </Pane>
  );
};

/** Leads to a page of the specification, which the simulator serves. */
const specOf = ({ "x-spec": page }: Operation) => page?.replace(/\.md(#.*)?$/, "$1");

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
  const schema = bodySchema(operation.requestBody && resolved(document, operation.requestBody));
  const spec = specOf(operation);
  const permission = operation["x-permission"];
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
      <p className="sub">
        {operation.operationId}
        {permission !== undefined && `, needs ${permission}`}
        {spec !== undefined && (
          <>
            .{" "}
            <a className="link" href={`/_sim/docs/${spec}`}>
              Its page of the specification
            </a>
          </>
        )}
      </p>
      {!isOwn && <TryIt key={operation.operationId} document={document} operation={operation} />}
      <Parameters document={document} operation={operation} />
      {schema && (
        <Pane title="Body" isQuiet note="what it takes">
          <SchemaView document={document} schema={schema} />
        </Pane>
      )}
      <Replies document={document} operation={operation} />
      <Errors document={document} operation={operation} />
    </div>
  );
};

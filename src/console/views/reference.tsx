import { useEffect, useState } from "react";
import { ranked } from "../frame/go-to.tsx";
import { Json } from "../parts/json.tsx";
import { Pane, Title } from "../parts/pane.tsx";
import { Scroll } from "../parts/scroll.tsx";
import {
  bodySchema,
  type Document,
  type Operation,
  operationsOf,
  type Placed,
  resolved,
} from "../reference/document.ts";
import { SchemaView } from "../reference/schema-view.tsx";
import { TryIt } from "../reference/try-it.tsx";
import { useQueryValue } from "../routes.ts";
import { useConsole } from "../use-console.ts";

interface Documents {
  platform: Document;
  control: Document;
}

const useDocuments = (): Documents | undefined => {
  const { control } = useConsole();
  const [documents, setDocuments] = useState<Documents>();
  useEffect(() => {
    let isOver = false;
    const read = async () => {
      const [platform, own] = await Promise.all([
        control.get<Document>("/openapi.json"),
        control.get<Document>("/control-openapi.json"),
      ]);
      if (!isOver) setDocuments({ platform, control: own });
    };
    void read().catch(() => undefined);
    return () => {
      isOver = true;
    };
  }, [control]);
  return documents;
};

interface ErrorRow {
  code?: string;
  status?: number;
  message?: string;
  next?: string;
}

const Errors = ({ document, operation }: { document: Document; operation: Operation }) => {
  const errors = (operation["x-errors"] ?? []).map((one) => ({
    word: one.$ref?.split("/").at(-1) ?? "",
    ...(resolved<unknown>(document, one) as ErrorRow),
  }));
  if (errors.length === 0) return null;
  return (
    <Pane title="Errors" isQuiet note={errors.length}>
      <Scroll label="Errors">
        <table>
          <tbody>
            {errors.map(({ word, status, code, message, next }) => (
              <tr key={word}>
                <td className="m failed">
                  {status} {code}
                </td>
                <td className="wrap">
                  {message}
                  {next !== undefined && <span className="d"> {next}</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </Pane>
  );
};

const SuccessReply = ({ document, operation }: { document: Document; operation: Operation }) => {
  const [status, reply] =
    Object.entries(operation.responses).find(([code]) => code.startsWith("2")) ?? [];
  const schema = reply && bodySchema(resolved(document, reply) as Parameters<typeof bodySchema>[0]);
  if (!schema) return null;
  return (
    <Pane title="Answer" isQuiet note={status}>
      <SchemaView document={document} schema={schema} />
    </Pane>
  );
};

const OperationPage = ({
  document,
  operation,
  isOwn,
}: {
  document: Document;
  operation: Placed;
  isOwn: boolean;
}) => {
  const schema = bodySchema(operation.requestBody && resolved(document, operation.requestBody));
  const spec = operation["x-spec"]?.replace(/\.md(#.*)?$/, "$1");
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
        {operation["x-permission"] !== undefined && `, needs ${operation["x-permission"]}`}
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
      {schema && (
        <Pane title="Body" isQuiet note="what it takes">
          <SchemaView document={document} schema={schema} />
        </Pane>
      )}
      <SuccessReply document={document} operation={operation} />
      <Errors document={document} operation={operation} />
    </div>
  );
};

const WebhookPage = ({ document, type }: { document: Document; type: string }) => {
  const webhook = document.webhooks?.[type]?.post;
  if (!webhook) return <Title>There is no webhook {type}</Title>;
  const content = webhook.requestBody?.content?.["application/json"];
  return (
    <div>
      <Title>{type}</Title>
      <p className="sub">{webhook.summary}</p>
      {content?.example !== undefined && (
        <Pane title="Example">
          <Json text={JSON.stringify(content.example, null, 2)} label="Example" />
        </Pane>
      )}
      {content?.schema && (
        <Pane title="Body" isQuiet>
          <SchemaView document={document} schema={content.schema} />
        </Pane>
      )}
    </div>
  );
};

interface Entry {
  says: string;
  verb: string;
  to: string;
  group: string;
}

const entriesOf = ({ platform, control }: Documents): Entry[] => [
  ...operationsOf(platform).map(({ summary, method, operationId, tags }) => ({
    says: summary,
    verb: method,
    to: `/reference/${operationId}`,
    group: tags?.[0] ?? "other",
  })),
  ...Object.keys(platform.webhooks ?? {}).map((type) => ({
    says: type,
    verb: "event",
    to: `/reference/webhooks/${type}`,
    group: "webhooks sent",
  })),
  ...operationsOf(control).map(({ summary, method, operationId }) => ({
    says: summary,
    verb: method,
    to: `/reference/sim/${operationId}`,
    group: "control surface",
  })),
];

const Index = ({ documents, at }: { documents: Documents; at: string }) => {
  const [q, setQ] = useQueryValue("q");
  const entries = entriesOf(documents);
  const shown = q === "" ? entries : ranked(entries, q);
  const groups = [...Map.groupBy(shown, ({ group }) => group)];
  return (
    <nav className="ops" aria-label="Operations">
      <label className="search">
        <span className="vh">Search the reference</span>
        <input
          type="search"
          value={q}
          placeholder={`Search ${entries.length} pages`}
          onChange={({ target }) => setQ(target.value)}
        />
        <kbd>/</kbd>
      </label>
      {groups.map(([group, own]) => (
        <details key={group} open={q !== "" || own.some(({ to }) => to === at)}>
          <summary>
            {group}
            <span className="m d"> {own.length}</span>
          </summary>
          <ul>
            {own.map(({ says, verb, to }) => (
              <li key={to}>
                <a
                  href={`#${to}`}
                  title={says}
                  {...(to === at && { "aria-current": "page" as const })}
                >
                  <span className="verb">{verb}</span>
                  <span>{says}</span>
                </a>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </nav>
  );
};

const Page = ({ documents, rest }: { documents: Documents; rest: string }) => {
  const { platform, control } = documents;
  if (rest.startsWith("webhooks/"))
    return <WebhookPage document={platform} type={rest.slice("webhooks/".length)} />;
  const isOwn = rest.startsWith("sim/");
  const document = isOwn ? control : platform;
  const name = isOwn ? rest.slice("sim/".length) : rest || "createQuote";
  const operation = operationsOf(document).find(({ operationId }) => operationId === name);
  return operation ? (
    <OperationPage key={name} {...{ document, operation, isOwn }} />
  ) : (
    <Title>There is no operation {name}</Title>
  );
};

/** All operations, each to be tried before it is read about. */
export const Reference = ({ rest }: { rest: string }) => {
  const documents = useDocuments();
  if (!documents) return null;
  return (
    <div className="ref">
      <Index documents={documents} at={`/reference/${rest}`} />
      <Page documents={documents} rest={rest} />
    </div>
  );
};

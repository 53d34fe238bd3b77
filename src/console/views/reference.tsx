import { Json } from "../parts/json.tsx";
import pane from "../parts/pane.module.css";
import { Loading, Pane, Title } from "../parts/pane.tsx";
import { ranked } from "../parts/ranked.ts";
import { Search } from "../parts/search.tsx";
import {
  bodySchema,
  type Document,
  type Operation,
  operationsOf,
  type Parameter,
  type PathOperation,
  type Reply,
  resolved,
} from "../reference/document.ts";
import { allErrors, errorsOf, operationsWith, remediesOf } from "../reference/errors.ts";
import { OperationPage } from "../reference/operation-page.tsx";
import { useReadOnce } from "../reference/read-once.ts";
import schemaView from "../reference/schema-view.module.css";
import { SchemaView } from "../reference/schema-view.tsx";
import { useQueryValue } from "../routes.ts";
import guides from "./guides.module.css";
import css from "./reference.module.css";

/** One error: what it says, what to do, and where it comes from. */
const ErrorPage = ({ document, word }: { document: Document; word: string }) => {
  const error = allErrors(document).find((one) => one.word === word || one.code === word);
  if (!error) return <Title>There is no error {word}</Title>;
  const operations = operationsWith(document, error.word);
  return (
    <div>
      <Title
        beside={
          <span className="m failed">
            {error.status} {error.code}
          </span>
        }
      >
        {error.reason ?? error.code}
      </Title>
      <p className="say">{error.says}</p>
      <Pane title="What to do" isQuiet>
        {remediesOf(error).map((remedy) => (
          <p key={remedy}>{remedy}</p>
        ))}
      </Pane>
      <Pane title="Answered by" isQuiet note={operations.length}>
        <ul className={guides.guides}>
          {operations.map(({ operationId, summary, method, path }) => (
            <li key={operationId}>
              <a className="link" href={`#/reference/${operationId}`}>
                {summary}
              </a>{" "}
              <span className="d m">
                {method} {path}
              </span>
            </li>
          ))}
        </ul>
      </Pane>
    </div>
  );
};

/** The answers of a receiver, and the fields that one may have. */
const Answers = ({ document, of: { responses } }: { document: Document; of: Operation }) => (
  <Pane title="Your answer" isQuiet>
    {Object.entries(responses).map(([status, replyOrRef]) => {
      const reply = resolved<Reply>(document, replyOrRef);
      const schema = bodySchema(reply);
      return (
        <div key={status} className={schemaView.member}>
          <b className="m">{status}</b> <span className="d">{reply.description}</span>
          {schema && <SchemaView document={document} schema={schema} />}
        </div>
      );
    })}
  </Pane>
);

/** Pages of the specification about all webhooks. */
const WEBHOOK_RULES = [
  ["/spec/events?at=causes", "When it is sent"],
  ["/spec/webhooks?at=signature", "How it is signed"],
  ["/spec/webhooks?at=acceptance", "Which answers accept it"],
] as const;

/** One type of webhook: an example, its body, the answers it takes, and where to send one. */
const WebhookPage = ({ document, type }: { document: Document; type: string }) => {
  const webhook = document.webhooks?.[type]?.post;
  if (!webhook) return <Title>There is no webhook {type}</Title>;
  const content = webhook.requestBody?.content?.["application/json"];
  return (
    <div>
      <Title>{type}</Title>
      <p className={pane.sub}>
        {webhook.summary}.{" "}
        <a className="link" href="#/webhooks/send">
          Send one to the endpoint
        </a>
      </p>
      <p className={pane.sub}>
        {WEBHOOK_RULES.map(([to, says], at) => (
          <span key={to}>
            {at > 0 && " · "}
            <a className="link" href={`#${to}`}>
              {says}
            </a>
          </span>
        ))}
      </p>
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
      <Answers document={document} of={webhook} />
    </div>
  );
};

interface Documents {
  platform: Document;
  control: Document;
}

const useDocuments = (): Documents | undefined => {
  const platform = useReadOnce<Document>("/openapi.json").body;
  const control = useReadOnce<Document>("/control-openapi.json").body;
  return platform && control && { platform, control };
};

interface Entry {
  says: string;
  /** Further words by which a search finds it. */
  also: string;
  verb: string;
  to: string;
  group: string;
}

/** Words about an operation beside its summary: its name and place, and what it answers. */
const wordsOf = (document: Document, operation: PathOperation) => {
  const { operationId, method, path, responses, parameters = [] } = operation;
  const names = parameters.map((one) => resolved<Parameter>(document, one as Parameter).name);
  const errors = errorsOf(document, operation).map(({ word }) => word);
  return [operationId, method, path, ...names, ...Object.keys(responses), ...errors].join(" ");
};

const entriesOf = ({ platform, control }: Documents): Entry[] => [
  ...operationsOf(platform).map((operation) => ({
    says: operation.summary,
    also: wordsOf(platform, operation),
    verb: operation.method,
    to: `/reference/${operation.operationId}`,
    group: operation.tags?.[0] ?? "other",
  })),
  ...Object.entries(platform.webhooks ?? {}).map(([type, { post }]) => ({
    says: type,
    also: post?.summary ?? "",
    verb: "event",
    to: `/reference/webhooks/${type}`,
    group: "webhooks sent",
  })),
  ...allErrors(platform).map(({ word, code, status, says }) => ({
    says: word,
    also: `${code} ${says}`,
    verb: String(status),
    to: `/reference/errors/${word}`,
    group: "errors",
  })),
  ...operationsOf(control).map((operation) => ({
    says: operation.summary,
    also: wordsOf(control, operation),
    verb: operation.method,
    to: `/reference/sim/${operation.operationId}`,
    group: "control surface",
  })),
];

const Index = ({ documents, at }: { documents: Documents; at: string }) => {
  const [q, setQ] = useQueryValue("q");
  const entries = entriesOf(documents);
  const shown = q === "" ? entries : ranked(entries, q);
  const groups = [...Map.groupBy(shown, ({ group }) => group)];
  return (
    <nav
      className={`${css.index} ${q === "" && at !== "/reference/" ? css.resting : ""}`}
      aria-label="Operations"
    >
      <Search
        label="Search the reference"
        value={q}
        placeholder={`Search ${entries.length} pages`}
        onChange={setQ}
      />
      <a className={`link ${css.all}`} href="#/reference">
        All pages
      </a>
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
                  <span className={css.verb}>{verb}</span>
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

/** First pages, for somebody who names no operation. */
const Start = ({ documents: { platform, control } }: { documents: Documents }) => (
  <div>
    <Title>Reference</Title>
    <p className="say">
      {operationsOf(platform).length} operations, {Object.keys(platform.webhooks ?? {}).length}{" "}
      types of webhook and {allErrors(platform).length} errors of the platform;{" "}
      {operationsOf(control).length} operations of the simulator itself. Each operation can be tried
      on its page, filled with what exists here.
    </p>
    <ul className={guides.guides}>
      {FIRST_PAGES.map(([to, says]) => (
        <li key={to}>
          <a className="link" href={`#${to}`}>
            {says}
          </a>
        </li>
      ))}
    </ul>
  </div>
);

const FIRST_PAGES = [
  ["/reference/createQuote", "Lock the amounts of a payment"],
  ["/reference/executeQuote", "Take the money and start it"],
  ["/reference/webhooks/OUTGOING_PAYMENT.COMPLETED", "The webhook of a payment that arrived"],
  ["/outcomes", "Magic values and their outcomes"],
  ["/lifecycles", "The states of each kind of record"],
  ["/guides", "Guides and specification"],
] as const;

const Page = ({ documents, rest }: { documents: Documents; rest: string }) => {
  const { platform, control } = documents;
  if (rest.startsWith("webhooks/"))
    return <WebhookPage document={platform} type={rest.slice("webhooks/".length)} />;
  if (rest.startsWith("errors/"))
    return <ErrorPage document={platform} word={rest.slice("errors/".length)} />;
  if (rest === "") return <Start documents={documents} />;
  const isOwn = rest.startsWith("sim/");
  const document = isOwn ? control : platform;
  const name = isOwn ? rest.slice("sim/".length) : rest;
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
  if (!documents) return <Loading />;
  return (
    <div className={pane.beside}>
      <Index documents={documents} at={`/reference/${rest}`} />
      <Page documents={documents} rest={rest} />
    </div>
  );
};

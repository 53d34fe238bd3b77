import { Pane, Title } from "../parts/pane.tsx";
import type { Document } from "./document.ts";
import { allErrors, operationsWith, remediesOf } from "./errors.ts";

/** One error: what it says, what to do, and where it comes from. */
export const ErrorPage = ({ document, word }: { document: Document; word: string }) => {
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
        <ul className="guides">
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

import type { CoverageReport } from "../../contract/control/coverage.ts";
import { Copy } from "../parts/copy.tsx";
import { Title } from "../parts/pane.tsx";
import { useRead } from "../use-console.ts";

const words = (name: string) => name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);

/** A map of what the integration has met, and one line for each gap. */
export const Coverage = () => {
  const { body } = useRead<CoverageReport>("/coverage");
  return (
    <>
      <Title beside={body && <span className="big">{body.score} %</span>}>Coverage</Title>
      <p className="say">What calls and receivers have met of everything the platform can do.</p>
      {body?.groups.map(({ name, met, total, missing }) => (
        <details key={name} className="group">
          <summary>
            <b>{words(name)}</b>{" "}
            <span className="m">
              {met} of {total}
            </span>
            <svg
              viewBox="0 0 100 6"
              preserveAspectRatio="none"
              className="share"
              aria-hidden="true"
            >
              <rect className="bg" width="100" height="6" />
              <rect className="used" width={total === 0 ? 0 : (100 * met) / total} height="6" />
            </svg>
          </summary>
          <ul>
            {missing.map((gap) => (
              <li key={gap.name}>
                <b className="m">{gap.name}</b>
                <code className="cut">{gap.exercise}</code>
                <Copy text={gap.exercise} what="the line that meets it" label="Copy" />
              </li>
            ))}
            {missing.length === 0 && <li className="done">All of it was met</li>}
          </ul>
        </details>
      ))}
    </>
  );
};

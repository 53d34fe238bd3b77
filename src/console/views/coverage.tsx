import type { CoverageReport, Exercised } from "../../contract/control/coverage.ts";
import { counted } from "../../text/layout.ts";
import { Act } from "../parts/act.tsx";
import { Copy } from "../parts/copy.tsx";
import pane from "../parts/pane.module.css";
import { Title } from "../parts/pane.tsx";
import { useConsole, useRead } from "../use-console.ts";
import css from "./coverage.module.css";

const words = (name: string) => name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);

type Gap = CoverageReport["groups"][number]["missing"][number];

/** A missing item: the line that meets it, to copy or to run here. */
const Missing = ({ of: { name, exercise }, item }: { of: Gap; item: string }) => {
  const { control } = useConsole();
  const runIt = async () => {
    const { met, steps, problem } = await control.send<Exercised>("POST", "/coverage/exercise", {
      item,
    });
    if (met) return { text: `${name} met with ${counted(steps.length, "step")}` };
    const why = problem ?? "its endpoint or settings differ from those of a new world";
    return { text: `${name} not met: ${why}`, isFailure: true };
  };
  return (
    <li>
      <b className="m">{name}</b>
      <code className="cut">{exercise}</code>
      <span className="acts">
        <Act isSmall label={`Run ${name}`} onAct={runIt}>
          Run it
        </Act>
        <Copy text={exercise} what={`the line for ${name}`} label="Copy" />
      </span>
    </li>
  );
};

/** The share of the platform that calls and receivers have met, and a line for each gap. */
export const Coverage = () => {
  const { body } = useRead<CoverageReport>("/coverage");
  return (
    <>
      <Title beside={body && <span className={pane.big}>{body.score} %</span>}>Coverage</Title>
      <p className="say">
        How much of the platform your calls and your webhook endpoint have exercised in this world.
      </p>
      {body?.groups.map(({ name, met, total, missing, outOfReach }) => (
        <details key={name} className={css.group}>
          <summary>
            <b>{words(name)}</b>{" "}
            <span className="m">
              {met} of {total}
            </span>
            <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
              <rect className={css.whole} width="100" height="6" />
              <rect className={css.met} width={total === 0 ? 0 : (100 * met) / total} height="6" />
            </svg>
          </summary>
          <ul>
            {missing.map((gap) => (
              <Missing key={gap.name} of={gap} item={`${name}.${gap.name.replaceAll(" ", "-")}`} />
            ))}
            {missing.length === 0 && <li className="done">Nothing missing</li>}
          </ul>
          {outOfReach.map((one) => (
            <p key={one.name} className="d">
              {one.name} needs <code>{one.needs}</code>
            </p>
          ))}
        </details>
      ))}
    </>
  );
};

import { Pane, Title } from "../parts/pane.tsx";

/** Pages of the package's own documents, which the simulator serves as they are. */
const GUIDES = [
  ["guide/getting-started", "From an empty folder to a first payment"],
  ["guide/watching", "See what a running simulator does"],
  ["guide/worlds", "A world for each test"],
  ["spec/clock", "How time works"],
  ["spec/sandbox", "Magic values and their outcomes"],
  ["spec/webhooks", "Delivery, retries and signatures"],
  ["spec/console", "This page"],
  ["reference", "Every command and call"],
] as const;

/** Pages to read on. */
export const Guides = () => (
  <>
    <Title>Guides</Title>
    <Pane title="To read">
      <ul className="guides">
        {GUIDES.map(([page, says]) => (
          <li key={page}>
            <a className="link" href={`/_sim/docs/${page}`}>
              {says}
            </a>{" "}
            <span className="d m">{page}</span>
          </li>
        ))}
        <li>
          <a className="link" href="/_sim/docs">
            Every operation, magic value and lifecycle on one page
          </a>
        </li>
      </ul>
    </Pane>
  </>
);

import { useLocation } from "wouter";
import { safeText } from "../../text/safe-text.ts";
import type { Refused } from "../control.ts";
import { Json } from "../parts/json.tsx";
import { Title } from "../parts/pane.tsx";
import { Lines } from "../parts/text.tsx";

/** A place that the console does not have. */
export const NotFound = () => {
  const [path] = useLocation();
  return (
    <>
      <Title>There is no view {path}</Title>
      <p className="say">
        Choose a view on the left, or press <kbd>ctrl k</kbd> to search by name or id.
      </p>
    </>
  );
};

/** A record that the world does not have, with what the simulator says of it. */
export const Missing = ({ id, refused }: { id: string; refused: Refused }) => (
  <>
    <Title>
      <span className="m">{safeText(id)}</span> was not found
    </Title>
    <p className="say">
      <Lines text={refused.message} />
    </p>
    {refused.next.map((line) => (
      <Json key={line} text={line} label="What to do next" />
    ))}
  </>
);

import { countdown } from "../../rows/clock-face.ts";
import { useNowMs } from "../use-console.ts";

/** The time until a webhook is tried again. */
export const NextAttempt = ({ at }: { at: string }) => {
  const nowMs = useNowMs();
  return (
    <span className="waits">
      next attempt in <span className="m">{countdown(at, { nowMs })}</span>
    </span>
  );
};

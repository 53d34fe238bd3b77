import { useEffect } from "react";
import type { Session } from "./session.ts";

const SECOND_MS = 1000;

/** Lets the session know of every second, for countdowns and what is shown for a while. */
export const useSeconds = (session: Session) => {
  useEffect(() => {
    const ticking = setInterval(() => session.tick(), SECOND_MS);
    return () => clearInterval(ticking);
  }, [session]);
};

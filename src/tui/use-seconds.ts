import { useEffect } from "react";
import type { Session } from "./session.ts";

const SECOND_MS = 1000;

/** Tells the session each second, for countdowns and toasts. */
export const useSeconds = (session: Session) => {
  useEffect(() => {
    const ticking = setInterval(() => session.tick(), SECOND_MS);
    return () => clearInterval(ticking);
  }, [session]);
};

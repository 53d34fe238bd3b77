import type { Invocation } from "./command.ts";

/** The path of the timer that a command names first. */
export const timerPath = ({ args: [id = ""] }: Invocation) => `/timers/${encodeURIComponent(id)}`;

import { CommandError, EXIT, type Invocation } from "./command.ts";

/** No settings of a simulator, and what a shell has from `env` without anyone's doing. */
const NOT_TRACED = new Set(["url", "json", "quiet", "color", "clientId", "clientSecret"]);

const TRACE = "service-sim doctor    shows each option and where it comes from";

/** Whether a setting was given where nobody looks at it now: in the environment or in a file. */
const isUntyped = ({ sources = {} }: Invocation) =>
  Object.entries(sources).some(
    ([name, from]) => !NOT_TRACED.has(name) && (from === "env" || from === "config"),
  );

/** What the control surface says of a wrong value speaks of requests, or of another command. */
const isAboutRequests = (code: string, words: string) =>
  code === "INVALID_INPUT" || (code === "INVALID_DURATION" && words !== "advance");

/**
 * A failure with the steps that fit the command that was typed.
 * @param words of the command: `webhooks list`
 */
export const withNextSteps = (
  error: CommandError,
  words: string,
  invocation: Invocation,
): CommandError => {
  if (error.exitCode !== EXIT.usage) return error;
  const { code, exitCode, message, details } = error;
  const help = `service-sim ${words} --help`;
  const next = isAboutRequests(code, words) ? [help] : error.next;
  const isHelpAlone = next.length === 1 && next[0]?.endsWith(" --help");
  return new CommandError(
    { code, exitCode, ...(details && { details }) },
    message,
    isHelpAlone && isUntyped(invocation) ? [...next, TRACE] : next,
  );
};

import { CommandError, EXIT, type Invocation } from "./command.ts";
import { answersHere } from "./reach.ts";

/** Variables that are not settings; a shell may hold them from `env`. */
const NOT_TRACED = new Set(["url", "json", "quiet", "color", "clientId", "clientSecret"]);

const TRACE = "service-sim doctor    shows each option and its source";

/** Options that a command shares with `start` refuse values by its help. */
const HELP_OF_START = "service-sim start --help";

const UNSET = "unset SERVICE_SIM_WORLD    returns to the default world";

/** Whether a setting was given in the environment or in a file. */
const isUntyped = ({ sources = {} }: Invocation) =>
  Object.entries(sources).some(
    ([name, from]) => !NOT_TRACED.has(name) && (from === "env" || from === "config"),
  );

/** Steps from the control surface that fit a request or another command instead. */
const isAboutRequests = ({ code, next: [step = ""] }: CommandError, words: string) =>
  (code === "INVALID_INPUT" && !step.startsWith("service-sim ")) ||
  (code === "INVALID_DURATION" && words !== "advance");

const START_AGAIN = [
  "service-sim start            SERVICE_SIM_URL names a stopped simulator: start one",
  'eval "$(service-sim env)"    then set the variables again',
];

const USE_THIS_FOLDER = [
  'eval "$(service-sim env)"    SERVICE_SIM_URL names a stopped simulator: use this folder',
  "service-sim start            or start one",
];

/** Tells whether a call failed since a shell still has the variables of `env` of an old simulator. */
const isOfOldShell = ({ code }: CommandError, { sources }: Invocation) =>
  code === "NOT_RUNNING" && sources?.url === "env";

/**
 * Replaces a failure's steps by steps for the command that was typed.
 * @param words of the command: `webhooks list`
 */
export const withNextSteps = async (
  error: CommandError,
  words: string,
  invocation: Invocation,
): Promise<CommandError> => {
  const { code, exitCode, message, details } = error;
  if (code === "WORLD_NOT_FOUND" && invocation.sources?.world === "env")
    return new CommandError({ code, exitCode, ...(details && { details }) }, message, [
      ...error.next,
      UNSET,
    ]);
  if (isOfOldShell(error, invocation))
    return new CommandError(
      { code, exitCode },
      message,
      (await answersHere(invocation)) ? USE_THIS_FOLDER : START_AGAIN,
    );
  if (exitCode !== EXIT.usage) return error;
  const help = `service-sim ${words} --help`;
  const own = error.next.map((step) => (step === HELP_OF_START ? help : step));
  const next = isAboutRequests(error, words) ? [help] : own;
  const isHelpAlone = next.length === 1 && next[0]?.endsWith(" --help");
  return new CommandError(
    { code, exitCode, ...(details && { details }) },
    message,
    isHelpAlone && isUntyped(invocation) ? [...next, TRACE] : next,
  );
};

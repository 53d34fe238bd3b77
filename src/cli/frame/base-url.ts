import { usageError } from "./command.ts";

/**
 * The base URL of another service's API, as it is given.
 * @param example a command that shows one, for the hint
 * @throws CommandError for text that is no URL, and for one with credentials, query or fragment
 */
export const baseUrlIn = (text: string, example: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw usageError(`Expected the base URL of an API but found "${text}"`, example);
  if (`${url.username}${url.password}${url.search}${url.hash}` !== "")
    throw usageError("Expected a base URL without credentials, query and fragment", example);
  return url;
};

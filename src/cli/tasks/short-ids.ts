import type { ControlClient } from "../../client/control-client.ts";
import { isParameter, leadsTo } from "../../contract/closest-operation.ts";
import { OPERATIONS } from "../../contract/operations.ts";
import { CommandError } from "../frame/command.ts";
import { reach } from "../frame/reach.ts";

/** An id as screens shorten it; nothing else has this form. */
const SHORTENED = /^([A-Za-z]+:)?(…|\.{2,3})[0-9a-f-]{4,36}$/i;

/** The last characters of an id alone: only where an id belongs. */
const TAIL = /^([A-Za-z]+:)?[0-9a-f-]{4,12}$/i;

/** Parameters that hold chosen words instead of ids. */
const NO_IDS: ReadonlySet<string> = new Set(["{code}", "{invitationCode}", "{receiverUmaAddress}"]);

const wholeId = async (client: ControlClient, text: string): Promise<string> =>
  (await reach(client.get<{ id: string }>(`/ids/${encodeURIComponent(text)}`))).id;

/** Leaves a word that fits no id of this world to the platform. */
const wholeIdIfAny = (client: ControlClient, text: string) =>
  wholeId(client, text).catch((error: unknown) => {
    if (error instanceof CommandError && error.code === "ID_NOT_FOUND") return text;
    throw error;
  });

/** The whole id for a shortened one; any other text unchanged. */
export const withWholeId = async (client: ControlClient, text: string): Promise<string> =>
  SHORTENED.test(text) ? wholeId(client, text) : text;

const plain = (segment: string) => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/** A path whose short ids are whole, in the characters that a request may have. */
export const withWholeIds = async (
  client: ControlClient,
  { method, path }: { method: string; path: string },
): Promise<string> => {
  const [place = "", ...query] = path.split("?");
  const isOf = (one: (typeof OPERATIONS)[number]) => one.method === method && leadsTo(place, one);
  const template = OPERATIONS.find(isOf)?.path.split("/") ?? [];
  const isOfId = (at: number) => isParameter(template[at]) && !NO_IDS.has(template[at] ?? "");
  const segments = await Promise.all(
    place.split("/").map((segment, at) => {
      if (SHORTENED.test(plain(segment))) return wholeId(client, plain(segment));
      return isOfId(at) && TAIL.test(segment) ? wholeIdIfAny(client, segment) : segment;
    }),
  );
  const whole = [segments.join("/"), ...query].join("?");
  return whole.replace(/[^\x21-\x7e]/gu, encodeURIComponent);
};

import { showRequest } from "../control/why/requests.ts";
import type { RequestDetail } from "../http/log/log-entry.ts";
import type { LogRoom } from "../http/log/log-room.ts";
import { RequestLog } from "../http/log/request-log.ts";
import type { Engine } from "../runtime/engine.ts";
import type { Feed } from "../runtime/feed.ts";
import type { OpenWorld } from "../storage/open-world.ts";

/** Requests that a fork keeps in its log (spec/worlds.md#bounds). */
export const FORK_LOG_ENTRIES = 1_000;

interface LogParts {
  engine: Engine;
  start: number;
  isFork: boolean;
  /** Requests of earlier runs, on file storage. */
  requests: OpenWorld["requests"] | undefined;
  feed: Feed;
  room: LogRoom;
}

/** The request log of a world, which its feed follows. */
export const requestLogOf = ({
  engine,
  start,
  isFork,
  requests,
  feed,
  room,
}: LogParts): RequestLog => {
  const tellDamage = (message: string) => engine.alarm(message);
  const log = new RequestLog(engine, {
    start,
    room,
    ...(isFork && { entries: FORK_LOG_ENTRIES }),
    onEntry: (request) => feed.publish("request", () => showRequest(request())),
    ...(requests && {
      earlier: () => requests.read(engine.state, tellDamage) as RequestDetail[],
    }),
  });
  requests?.attach(log);
  return log;
};

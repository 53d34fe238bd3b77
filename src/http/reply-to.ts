import { Refusal } from "../domain/core/refusal.ts";
import { nextTurn } from "../runtime/host-time.ts";
import { JournalFailure } from "../runtime/ports.ts";
import { type Call, OVERTAKEN } from "./call.ts";
import type { Reply } from "./reply.ts";
import type { ServedWorld } from "./served-world.ts";

/** A half of the HTTP surface, as far as it gives refusals their form. */
interface TellsErrors<World> {
  errorReply(error: Refusal, world: World): Reply;
}

let turnEnd: Promise<void> | undefined;

/**
 * The end of this turn of the event loop, shared by all that wait for it: replies that leave
 * together cost the system far fewer calls.
 */
const endOfTurn = () => {
  turnEnd ??= nextTurn().then(() => {
    turnEnd = undefined;
  });
  return turnEnd;
};

const asRefusal = (error: unknown, call: Call, { reports }: ServedWorld): Refusal => {
  if (error instanceof Refusal) return error;
  if (error instanceof JournalFailure) return new Refusal("UNAVAILABLE", { why: error.message });
  if (call.isOvertaken) return new Refusal("UNAVAILABLE", { why: OVERTAKEN });
  reports.onBug(error, call.requestId);
  return new Refusal("INTERNAL_ERROR", { requestId: call.requestId });
};

/**
 * Runs one call to its reply, which leaves once the journal has everything it was made from. A
 * refusal waits too: it may show a change that is not written yet.
 */
export const replyTo = async <World extends ServedWorld>(
  run: () => Promise<Reply>,
  call: Call,
  { surface, world }: { surface: TellsErrors<World>; world: World },
): Promise<Reply> => {
  const refused = (error: unknown) => {
    const refusal = asRefusal(error, call, world);
    call.refusedBy(refusal);
    return surface.errorReply(refusal, world);
  };
  let reply: Reply;
  try {
    reply = await run();
  } catch (error) {
    reply = refused(error);
    call.sawEverything();
  }
  try {
    await (call.durable() ?? endOfTurn());
    return reply;
  } catch (error) {
    return refused(error);
  }
};

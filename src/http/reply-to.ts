import { Refusal } from "../domain/core/refusal.ts";
import { JournalFailure } from "../runtime/ports.ts";
import { type Call, OVERTAKEN } from "./call.ts";
import { expectLeaving } from "./leaving.ts";
import type { Reply } from "./reply.ts";
import type { ServedWorld } from "./served-world.ts";
import { ended, type Soon, soon } from "./soon.ts";

/** A half of the HTTP surface, as far as it gives refusals their form. */
interface TellsErrors<World> {
  errorReply(error: Refusal, world: World): Reply;
}

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
export const replyTo = <World extends ServedWorld>(
  run: () => Soon<Reply>,
  call: Call,
  { surface, world }: { surface: TellsErrors<World>; world: World },
): Soon<Reply> => {
  const refused = (error: unknown) => {
    const refusal = asRefusal(error, call, world);
    call.refusedBy(refusal);
    return surface.errorReply(refusal, world);
  };
  const made = ended(
    run,
    (reply) => reply,
    (error) => {
      const reply = refused(error);
      call.sawEverything();
      return reply;
    },
  );
  return soon(made, (reply) => {
    const durable = call.durable();
    if (!durable) return reply;
    expectLeaving();
    return durable.then(() => reply, refused);
  });
};

import type { AttemptAnswer } from "../../../src/runtime/ports.ts";
import type { AttemptRequest } from "../../../src/webhooks/attempt.ts";

/** Behavior of the receiver for one resource. */
export type Mood =
  | "healthy"
  | "failing"
  | "hanging"
  | "resetting"
  | "late"
  | "dripping"
  | "endless";

const DRIPPED = { reply: "{", body: "{" };
/** As much of an answer as an attempt reads, where it continues forever. */
const ENDLESS = { reply: "x".repeat(2_048), body: "x".repeat(65_536) };

/** The event of a body; one that was spoiled on purpose may be no JSON. */
const eventIn = (text: string): { id: string; lane: string } => {
  try {
    const { id = "none", data } = JSON.parse(text);
    return { id, lane: data?.id ?? id };
  } catch {
    return { id: "none", lane: "none" };
  }
};

interface UnderWay {
  id: string;
  lane: string;
  attempt: AttemptRequest;
  answer(answer: AttemptAnswer): void;
}

/** A receiver without a socket; the history decides when it answers. */
export class Receivers {
  readonly underWay: UnderWay[] = [];
  /** Ids of events that it accepted. */
  readonly told = new Set<string>();
  /** Ids of events that it was sent, accepted or not. */
  readonly heard = new Set<string>();
  readonly moods = new Map<string, Mood>();
  /** Resources whose events it has met. */
  readonly lanes = new Set<string>();
  /** Behavior where a resource has none of its own. */
  mood: Mood = "healthy";

  /** Replaces the HTTP call of an attempt. */
  readonly send = (attempt: AttemptRequest): Promise<AttemptAnswer> => {
    const { id, lane } = eventIn(attempt.body.toString("utf8"));
    this.lanes.add(lane);
    this.heard.add(id);
    return new Promise((answer) => {
      const one = { id, lane, attempt, answer };
      this.underWay.push(one);
      attempt.cutOff?.onCut(() => {
        const at = this.underWay.indexOf(one);
        if (at < 0) return;
        this.underWay.splice(at, 1);
        answer({ tookMs: 1_000, error: "cut off" });
      });
    });
  };

  moodOf(lane: string): Mood {
    return this.moods.get(lane) ?? this.mood;
  }

  /** Has every resource's events accepted from now on. */
  recover() {
    this.moods.clear();
    this.mood = "healthy";
  }

  /** Answers one attempt by its resource's mood; a hanging one times out. */
  end(one: UnderWay) {
    this.underWay.splice(this.underWay.indexOf(one), 1);
    const mood = this.moodOf(one.lane);
    if (mood === "hanging") return one.answer({ tookMs: one.attempt.timeoutMs, isTimeout: true });
    if (mood === "failing") return one.answer({ tookMs: 3, httpStatus: 503 });
    if (mood === "resetting") return one.answer({ tookMs: 2, error: "connection reset" });
    // Bytes came one by one until nobody waited for more: no answer is whole.
    if (mood === "dripping")
      return one.answer({ ...DRIPPED, tookMs: one.attempt.timeoutMs, isTimeout: true });
    this.told.add(one.id);
    if (mood === "endless") return one.answer({ ...ENDLESS, tookMs: 9, httpStatus: 200 });
    // It took the event, and its answer came too late.
    if (mood === "late") return one.answer({ tookMs: one.attempt.timeoutMs, isTimeout: true });
    one.answer({ tookMs: 3, httpStatus: 200 });
  }
}

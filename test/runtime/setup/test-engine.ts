import type { Rule } from "../../../src/domain/core/draft.ts";
import { setTimer } from "../../../src/domain/core/schedule.ts";
import { openPlatform } from "../../../src/domain/platform/platform.ts";
import type { TimerName } from "../../../src/domain/records/timer-names.ts";
import { type Change, encodeChange } from "../../../src/runtime/change.ts";
import type { ClockState } from "../../../src/runtime/clock.ts";
import { Engine } from "../../../src/runtime/engine.ts";
import { NoJournal } from "../../../src/runtime/journal.ts";
import { machineWall } from "../../../src/runtime/ports.ts";

/** 2026-01-05T09:00:00Z */
export const START_MS = 1_767_603_600_000;

/** A journal in memory that records its lines. */
export class RecordingJournal extends NoJournal {
  readonly lines: string[] = [];

  override buffer(change: Change) {
    super.buffer(change);
    this.lines.push(encodeChange(change));
  }

  changes(): Change[] {
    return this.lines.map((line) => JSON.parse(line.slice(line.indexOf("{"))));
  }
}

/** A world without HTTP and files; tests move its clocks. */
export const openEngine = (mode: ClockState["mode"] = "real") => {
  const wall = {
    ms: START_MS,
    nowMs() {
      return this.ms;
    },
    after: machineWall.after,
  };
  /** A span clock that moves by `ms` at each reading. */
  const spans = { ms: 0, at: 0 };
  const journal = new RecordingJournal();
  const clock = { mode, offsetMs: 0, instantMs: START_MS };
  const engine = new Engine({
    wall,
    journal,
    clock,
    spans: () => {
      spans.at += spans.ms;
      return spans.at;
    },
  });
  const token = { clientId: "sandbox", secretHash: "" };
  const opens = { world: "sandbox", seed: "test", branch: 1 };
  engine.open((draft, _input, moment) => openPlatform(draft, token, moment), opens, clock);
  return { engine, wall, journal, spans };
};

export const CAUSE = { cause: "req-1-1", by: "test" };

/** A rule that creates one record. */
export const leave: Rule<string, string> = (draft, id) => {
  draft.put("Event", { id, body: "" });
  return id;
};

/** A rule that sets a timer after a span. */
export const setFor: Rule<{ subject: string; inMs: number; name?: TimerName }, void> = (
  draft,
  { subject, inMs, name = "payment.settle" },
  moment,
) => setTimer(draft, { name, subject, dueAtMs: moment.atMs + inMs }, moment);

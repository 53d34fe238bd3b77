import { hash } from "node:crypto";
import { defined } from "../../contract/core/defined.ts";
import { platformConfig } from "../../domain/core/platform-config.ts";
import { DEFAULT_SETTINGS, defaultSettings, openingOf } from "../../domain/core/world-settings.ts";
import { type OpeningInput, openPlatform } from "../../domain/platform/platform.ts";
import type { InitialSettings, WorldSettings } from "../../domain/records/initial-settings.ts";
import { nextBranch } from "../../runtime/branch.ts";
import type { ClockState } from "../../runtime/clock.ts";
import type { Engine } from "../../runtime/engine.ts";
import type { Wall } from "../../runtime/ports.ts";
import type { Identity } from "./identity.ts";

/** Name of the first world of a store. */
export const FIRST_WORLD = "sandbox";

/**
 * Branch of the default world's ids, at the first start and at every reset
 * (decisions/starting-ids.md).
 */
const FIRST_BRANCH = 1;

/** Settings that decide how many records the default world has (spec/clock.md#reset). */
const SHAPING = ["walletCredential", "approvals", "sandboxUmaDomains", "endUserTerms"] as const;

export interface StartParts {
  wall: Wall;
  identity: Identity;
  /** Settings of the first start. */
  opening: Partial<InitialSettings>;
}

/** The credentials and settings of a start, as input of the rules. */
export const openingInput = (
  { clientId, clientSecret }: Identity,
  opening: Partial<InitialSettings>,
): OpeningInput => ({ clientId, secretHash: hash("sha256", clientSecret, "hex"), opening });

/**
 * Branch of the default world's ids. Under other shaping settings the same id would name another
 * record, so those have branches of their own.
 */
const branchFor = (settings: WorldSettings) => {
  const inForce = { ...defaultSettings(settings), ...settings };
  const other = SHAPING.filter((name) => JSON.stringify(inForce[name]) !== textOf(name));
  if (other.length === 0) return FIRST_BRANCH;
  return JSON.stringify(other.map((name) => [name, inForce[name]]));
};

const textOf = (name: (typeof SHAPING)[number]) => JSON.stringify(DEFAULT_SETTINGS[name]);

/** Instant of a world's first start. */
const firstInstantOf = ({ startMs, openedAtMs }: Identity) => startMs ?? openedAtMs;

/**
 * Clock of a world's beginning (spec/clock.md#reset). It returns to the first instant when a start
 * named one or the clock is manual. A real clock that follows the system clock continues to follow
 * it.
 */
const firstClock = (
  { identity, wall }: StartParts,
  { isFirst }: { isFirst: boolean },
): ClockState => {
  const { clockMode: mode = "real", clockSpeed: speed, startMs } = identity;
  const wallMs = wall.nowMs();
  const firstMs = firstInstantOf(identity) ?? wallMs;
  const isRunning = mode === "real" && startMs === undefined;
  const instantMs = isRunning && !isFirst ? wallMs : firstMs;
  const isAhead = mode === "real" && (!isRunning || speed !== undefined);
  const offsetMs = isAhead ? instantMs - wallMs : 0;
  return { mode, offsetMs, instantMs, ...(mode === "real" && defined({ speed })) };
};

/** A beginning that repeats: its clock, and all that decides its records. */
export interface RepeatedStart {
  clock: ClockState;
  /** Equal for equal beginnings. */
  key: string;
}

/** The beginning of the world as of now; nothing where its clock would begin at another instant. */
const resetState = (live: Engine, parts: StartParts): RepeatedStart | undefined => {
  const { clientId, clientSecret, startMs, clockMode } = parts.identity;
  if (startMs === undefined && clockMode !== "manual") return undefined;
  const clock = firstClock(parts, { isFirst: false });
  const opening = openingOf(platformConfig(live.state));
  const key = JSON.stringify([opening, clientId, clientSecret, clock.mode, clock.instantMs]);
  return { clock, key };
};

/** Starts the clock of a copy, as far ahead as its clock steps have moved it. */
const startClock = (engine: Engine, { instantMs, ...clock }: ClockState) => {
  if (clock.mode === "manual") return;
  const nowMs = engine.clock.now();
  const movedMs = clock.mode === "real" ? nowMs - instantMs : 0;
  const running = { ...clock, offsetMs: clock.offsetMs + movedMs, instantMs: nowMs };
  engine.keepClock(running, { cause: "open", by: "open" });
};

/** Puts the beginning of `live` in place, with the settings of all starts so far. */
const begin = (
  live: Engine,
  parts: StartParts,
  { on, standsStill }: { on: Engine; standsStill: boolean },
): ClockState => {
  const { branch, seed } = live.state;
  const { identity } = parts;
  const isFirst = branch === 0;
  const opening = isFirst ? parts.opening : openingOf(platformConfig(live.state));
  const clock = firstClock(parts, { isFirst });
  const lateMs = clock.instantMs - (firstInstantOf(identity) ?? clock.instantMs);
  on.startIds = { branch: branchFor(opening.settings ?? {}), lateMs };
  on.open(
    (draft, _input, moment) => openPlatform(draft, openingInput(identity, opening), moment),
    { world: FIRST_WORLD, seed: isFirst ? identity.seed : seed, branch: nextBranch(branch) },
    standsStill ? { mode: "manual", offsetMs: 0, instantMs: clock.instantMs } : clock,
  );
  return clock;
};

/**
 * Begins a world at its start and at each reset (spec/clock.md#reset). What the fixture makes has
 * the same ids each time; all later ids are new.
 */
export const startStateOf = (live: Engine, parts: StartParts) => ({
  reset: () => {
    try {
      begin(live, parts, { on: live, standsStill: false });
    } finally {
      live.startIds = undefined;
    }
    return live.state.seq;
  },
  resetState: () => resetState(live, parts),
  startCopy: (copy: Engine) => {
    const clock = begin(live, parts, { on: copy, standsStill: true });
    return () => startClock(copy, clock);
  },
});

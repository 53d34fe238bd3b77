import { NoAnswer } from "./client/send.ts";
import { requireSameFixture } from "./control/seed/seed-world.ts";
import type { Activity } from "./http/log/log-entry.ts";
import type { ListenOptions } from "./http/sockets/listen.ts";
import { ApiError, SimulatorClosed } from "./library/api-error.ts";
import { atCaller } from "./library/at-caller.ts";
import { connect } from "./library/connect.ts";
import type { AdvanceReport } from "./library/contract-types.ts";
import type { ConnectOptions } from "./library/environment.ts";
import type { LocalSimulator } from "./local-simulator.ts";
import { TimersFaked } from "./machine/faked-timers.ts";
import { requireRealTime } from "./machine/host-time.ts";
import { MissingPackage } from "./machine/optional-package.ts";
import { OptionError, requireForms, type SimulatorOptions } from "./options/simulator-options.ts";
import {
  jwksSourcesOf,
  requireJwks,
  requireJwksOfState,
  worldOptionsOf,
} from "./options/world-options.ts";
import { RunningSimulator } from "./running-simulator.ts";
import { JournalDamage, OtherFormat } from "./runtime/change.ts";
import { StateDamage } from "./runtime/damage.ts";
import { JournalFailure } from "./runtime/ports.ts";
import { ServedElsewhere } from "./runtime/served-elsewhere.ts";
import { fixtureOf } from "./scripts/script-files.ts";
import { StateLocked } from "./storage/file/lock/state-lock.ts";
import { LeftAside } from "./storage/file/state/set-aside.ts";
import { openWorld, WorldExists } from "./storage/open-world.ts";
import { StoreRefused, StoreTrouble } from "./storage/port/store-trouble.ts";
import { VERSION } from "./version.ts";
import { allowedOriginsOf, allowedTargetsOf } from "./worlds/allowed-callers.ts";
import { type Boundary, boundaryOf } from "./worlds/boundary.ts";
import { openingError } from "./worlds/opening-error.ts";
import { PeerListener } from "./worlds/peer-listener.ts";
import { SwitchedBoundary } from "./worlds/switched-boundary.ts";
import { TapedBoundary } from "./worlds/taped-boundary.ts";
import { worldBoundsOf } from "./worlds/world-bounds.ts";

export type * from "./library/contract-types.ts";
export type * from "./library/simulator.ts";
export type { Activity, ConnectOptions, ListenOptions, LocalSimulator, SimulatorOptions };
export {
  ApiError,
  connect,
  JournalDamage,
  JournalFailure,
  LeftAside,
  MissingPackage,
  NoAnswer,
  OptionError,
  OtherFormat,
  ServedElsewhere,
  SimulatorClosed,
  StateDamage,
  StateLocked,
  StoreRefused,
  StoreTrouble,
  TimersFaked,
  WorldExists,
};

/** Summary of an advance. */
export type AdvanceSummary = Pick<AdvanceReport, "to" | "complete" | "firedCount" | "webhookCount">;

const openSimulator = async (options: SimulatorOptions = {}): Promise<LocalSimulator> => {
  try {
    requireRealTime();
    requireForms(options);
    const inner: Boundary = boundaryOf(options) ?? new SwitchedBoundary();
    const boundary = inner.isReplay ? inner : new TapedBoundary(inner);
    const worldOptions = { ...worldOptionsOf(options), wall: boundary.wall };
    const places = { storage: worldOptions.storage, jwks: jwksSourcesOf(options) };
    const fixture = options.fixture === undefined ? undefined : await fixtureOf(options.fixture);
    const settings = worldOptions.opening?.settings;
    if (settings?.codes !== undefined && options.codes === "random") {
      const { codes } = settings;
      settings.codes = boundary.drawn("codes", () => codes);
    }
    // Checked before the state is locked, so that a wrong option leaves no lock behind.
    allowedOriginsOf(options);
    allowedTargetsOf(options);
    worldBoundsOf(options);
    requireJwks(places.jwks, options.crypto);
    const peer = await peerOf(options);
    const world = await openWorld({
      ...worldOptions,
      ...(peer && { peer: peer.address }),
      version: VERSION,
      ...(fixture && { requireFit: (kept) => requireSameFixture(fixture.fixture, kept) }),
    }).catch(async (error) => {
      await peer?.close();
      throw error;
    });
    await requireJwksOfState(places.jwks, options, world);
    boundary.found(world);
    const simulator = new RunningSimulator(world, { ...options, places }, { boundary, inner });
    if (peer) simulator.answerPeers(peer);
    await simulator.open(fixture);
    if (!options.answersBeforeReady) await simulator.ready();
    if (options.capsule !== undefined) await simulator.writeTo(options.capsule);
    return simulator;
  } catch (error) {
    throw openingError(error);
  }
};

/** The listener for the other processes of a store, which is there before they learn of it. */
const peerOf = async ({ peer }: SimulatorOptions): Promise<PeerListener | undefined> =>
  peer === undefined ? undefined : PeerListener.open(peer);

/**
 * Starts a simulator in this process. With `file:` storage it owns the directory until closed.
 * @throws OptionError, TimersFaked, WorldExists, StateLocked, JournalDamage, StateDamage,
 * OtherFormat, JournalFailure, LeftAside, StoreRefused, StoreTrouble, ServedElsewhere
 */
export const createSimulator = atCaller(openSimulator);

import { wordOf } from "../contract/control/clock-modes.ts";
import type { SimulatorStatus } from "../contract/control/status.ts";
import { defined } from "../contract/core/defined.ts";
import { calledAddress, shownAddress } from "../contract/core/endpoint-address.ts";
import { instant } from "../domain/core/draft.ts";
import { platformConfig } from "../domain/core/platform-config.ts";
import { isChanged } from "../domain/core/revision.ts";
import { settingsInForce } from "../domain/core/world-settings.ts";
import { codeChoice } from "../domain/wallets/code-choice.ts";
import { quorumKey } from "../domain/wallets/code-signer.ts";
import { stoppingPid } from "../machine/stopping-pid.ts";
import type { World } from "./core/world.ts";
import { ledgerTotals } from "./feed/ledger.ts";
import { nextTimerShown } from "./timers.ts";

const pendingTimers = ({ engine: { state } }: World) =>
  state.count("Timer") - state.ids("Timer", "canceled", "").length;

/** Counts of the records that a reset drops. */
export const countsOf = (world: World) => ({
  records: world.engine.state.recordCount(),
  timers: pendingTimers(world),
  webhooks: world.engine.state.count("Delivery"),
});

const webhooksOf = (world: World) => {
  const { state } = world.engine;
  const count = (name: string) => state.ids("Delivery", "byState", name).length;
  const { webhookEndpoint } = platformConfig(state);
  const notCalled = webhookEndpoint && world.targetRefusal(calledAddress(webhookEndpoint));
  return {
    ...(webhookEndpoint && { endpoint: shownAddress(webhookEndpoint) }),
    ...defined({ notCalled }),
    key: world.keys().current.fingerprint,
    accepted: count("ACCEPTED"),
    waiting: count("WAITING"),
    ...(count("HELD") > 0 && { held: count("HELD") }),
    retrying: count("RETRYING"),
    givenUp: count("GIVEN_UP"),
    undeliverable: count("UNDELIVERABLE"),
  };
};

const approvalsOf = ({ engine: { state, clock } }: World) => {
  const ids = state.ids("AgentAction", "byStatus", "PENDING_APPROVAL");
  const oldest = state.get("AgentAction", ids.at(0) ?? "");
  return {
    count: ids.length,
    ...(oldest && { oldestWaitsMs: clock.now() - oldest.createdAtMs }),
  };
};

/** The public half of the key that signs what codes are sealed to; none where codes travel open. */
const otpSignerOf = ({ engine }: World): string | undefined =>
  isChanged(engine.state, "encryptedCodes") && !engine.stopped
    ? engine.read((_view, _input, moment) => quorumKey(moment), undefined).reply
    : undefined;

const settingsOf = (world: World) => {
  const { keys, clientId } = world;
  const { state, clock } = world.engine;
  const { cryptoMode: crypto, ...settings } = settingsInForce(state);
  const { webhookEndpoint, brand } = platformConfig(state);
  return {
    crypto,
    ...settings,
    codes: codeChoice(state),
    clock: wordOf(clock),
    clientId,
    ...defined({ brand }),
    ...(webhookEndpoint && { webhookEndpoint: shownAddress(webhookEndpoint) }),
    webhookKey: keys().current.fingerprint,
    ...defined({ otpSignerPublicKey: otpSignerOf(world) }),
  };
};

/** The simulator and its health. */
export const statusOf = (world: World): SimulatorStatus => {
  const { engine, storage, version } = world;
  const { state, clock, stopped } = engine;
  const next = nextTimerShown(engine);
  return {
    world: state.world,
    now: instant(clock.now()),
    version,
    pid: stoppingPid(),
    upMs: Math.round(process.uptime() * 1000),
    ...(world.worlds.drain.forMs > 0 && { drainMs: world.worlds.drain.forMs }),
    ...world.urls(),
    seed: state.seed,
    fixture: world.fixture(),
    clock: { mode: clock.mode, ...defined({ speed: clock.speed }), aheadMs: clock.aheadMs() },
    settings: settingsOf(world),
    storage: {
      url: storage.url,
      records: state.seq,
      journalBytes: engine.journal.sizeBytes(),
      fsync: storage.fsync,
      writable: engine.readOnlyBecause === undefined && !stopped,
      ...defined({ why: engine.readOnlyBecause, directory: storage.directory }),
      ...defined({ lost: storage.lost() }),
      ...(storage.passedOver.length > 0 && { passedOver: storage.passedOver }),
    },
    ledger: { totals: ledgerTotals(state) },
    approvals: approvalsOf(world),
    timers: { count: pendingTimers(world), ...(next && { next }) },
    webhooks: webhooksOf(world),
    ...(stopped && { stopped }),
  };
};

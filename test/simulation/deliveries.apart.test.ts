import { afterEach, expect, test, vi } from "vitest";
import { isOpen } from "../../src/domain/records/tables.ts";
import { TIMERS } from "../../src/domain/timers.ts";
import { AttemptLimiter } from "../../src/webhooks/attempt-limiter.ts";
import { Dispatcher } from "../../src/webhooks/dispatcher.ts";
import { runsOf } from "../setup/campaign.ts";
import { Breach, playDeliveries } from "./setup/delivery-history.ts";

/** `DELIVERY_HISTORIES=20000 npx vitest run test/simulation` for a campaign. */
const HISTORIES = Number(process.env.DELIVERY_HISTORIES ?? runsOf(3_000, 60));
/** Histories in which a planted bug must show. */
const TO_FIND_A_BUG = 100;

afterEach(() => vi.restoreAllMocks());

test("after any history every open delivery has a way on, and ends when receivers recover", async () => {
  for (let seed = 1; seed <= HISTORIES; seed += 1) await playDeliveries(seed);
}, 600_000);

const breachOf = async () => {
  for (let seed = 1; seed <= TO_FIND_A_BUG; seed += 1)
    try {
      await playDeliveries(seed);
    } catch (error) {
      if (error instanceof Breach) return error.message;
      throw error;
    }
  return "none found";
};

test("planted: a lane is not told that its delivery has ended", async () => {
  const { changed } = Dispatcher.prototype;
  vi.spyOn(Dispatcher.prototype, "changed").mockImplementation(function (this: Dispatcher, one) {
    if (isOpen(one)) changed.call(this, one);
  });
  expect(await breachOf()).toContain("nothing would send");
});

test("planted: a retry that falls due is forgotten", async () => {
  vi.spyOn(TIMERS["webhook.retry"], "fire").mockReturnValue({});
  expect(await breachOf()).toContain("nothing would send");
});

test("planted: an attempt that has ended keeps its room", async () => {
  const { end } = AttemptLimiter.prototype;
  let ended = 0;
  vi.spyOn(AttemptLimiter.prototype, "end").mockImplementation(function (
    this: AttemptLimiter,
    ...given
  ) {
    ended += 1;
    if (ended % 5 !== 0) end.apply(this, given);
  });
  expect(await breachOf()).not.toBe("none found");
});

// Run by jest: its modern timers, before and after service-sim is loaded.
const { walk, offMs, WALKED } = require("./faked-walk.cjs");

const realNowMs = Date.now;

afterEach(() => jest.useRealTimers());

test("timers faked before the load are named, and the real ones are taken later", async () => {
  jest.useFakeTimers();
  const library = require("service-sim");
  await expect(library.createSimulator()).rejects.toMatchObject({
    name: "TimersFaked",
    by: "jest",
    message: expect.stringContaining("or call jest.useRealTimers() before createSimulator"),
  });
  jest.useRealTimers();
  const sim = await library.createSimulator();
  await sim.close();
});

test("timers faked after the load change nothing", async () => {
  const library = require("service-sim");
  jest.useFakeTimers({ now: 0 });
  expect(Date.now()).toBe(0);
  expect(await walk(library)).toEqual(WALKED);
  expect(await offMs(library, realNowMs)).toBeLessThan(10_000);
});

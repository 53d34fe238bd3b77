// Run by `node --test`: Node's own mock timers, before and after service-sim is loaded.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { afterEach, mock, test } from "node:test";

const { walk, offMs, WALKED } = createRequire(import.meta.url)("./faked-walk.cjs");
const LIBRARY = "service-sim";
const realNowMs = Date.now;

afterEach(() => mock.timers.reset());

test("timers mocked before the load are named", async () => {
  mock.timers.enable();
  const { createSimulator, TimersFaked } = await import(LIBRARY);
  await assert.rejects(createSimulator(), (error) => {
    assert.ok(error instanceof TimersFaked);
    assert.equal(error.by, "node:test");
    assert.equal(
      error.message,
      "Expected the real timers when service-sim was loaded but found Date, setTimeout, " +
        "setInterval, setImmediate faked by node:test. Import service-sim before you fake timers, " +
        "or call mock.timers.reset() before createSimulator",
    );
    return true;
  });
});

test("the same load works once they are real again, also when they are mocked later", async () => {
  const library = await import(LIBRARY);
  const first = await library.createSimulator();
  await first.close();
  mock.timers.enable();
  assert.equal(Date.now(), 0);
  assert.deepEqual(await walk(library), WALKED);
  assert.ok((await offMs(library, realNowMs)) < 10_000);
});

import { describe, expect, test } from "vitest";
import { pressAll, type } from "./setup/presses.ts";
import { ROWS, watchedWith } from "./setup/scenes.ts";

describe("failing the next call", () => {
  const armed = {
    id: "Fault:1",
    match: { times: 1 },
    fault: { status: 503 },
    seen: 0,
    struck: 0,
    createdAt: "2026-01-05T09:00:00.000Z",
  };

  test.each([
    { how: "503", fault: { status: 503 } },
    { how: "429", fault: { status: 429 } },
    { how: "rate_limited", fault: { code: "RATE_LIMITED" } },
    { how: "500 UNAVAILABLE", fault: { status: 500, code: "UNAVAILABLE" } },
    { how: "lost", fault: { dropResponse: true } },
    { how: "closed", fault: { closeSocket: true } },
    { how: "5s", fault: { latencyMs: 5_000 } },
    { how: "500ms 503", fault: { latencyMs: 500, status: 503 } },
  ])("F, $how, enter arms it once", ({ how, fault }) => {
    const { effects } = pressAll(["F", "tab", ...type(how), "enter"]);
    expect(effects).toEqual([{ do: "fault", body: { match: { times: 1 }, fault } }]);
  });

  test.each([
    { call: "any", match: {} },
    { call: "", match: {} },
    { call: "createQuote", match: { operation: "createQuote" } },
    { call: "POST /quotes", match: { path: "POST /quotes" } },
  ])("the call $call", ({ call, match }) => {
    const { effects } = pressAll(["F", "ctrl-u", ...type(call), "enter"]);
    expect(effects).toEqual([
      { do: "fault", body: { match: { ...match, times: 1 }, fault: { status: 503 } } },
    ]);
  });

  test.each(["nonsense", "200", "lost closed", "503 lost", ""])(
    "%j is not a way to fail",
    (how) => {
      const { view, effects } = pressAll(["F", "tab", "ctrl-u", ...type(how), "enter"]);
      expect(effects).toEqual([]);
      expect(view.sheet).toMatchObject({ field: "how", how, failure: expect.any(String) });
    },
  );

  test("the operation of the chosen request is filled in", () => {
    const requests = ROWS.requests.map((row) => ({ ...row, operation: "getQuote" }));
    const watched = watchedWith({ ...ROWS, requests });
    expect(pressAll(["4", "F"], {}, watched).view.sheet).toMatchObject({ call: "getQuote" });
    expect(pressAll(["F"], {}, watched).view.sheet).toMatchObject({ call: "any" });
  });

  test("up and down go through the calls that fit, and through the ways", () => {
    const { effects } = pressAll([
      ...["F", ...type("quotes/{quoteid}/exec"), "down", "down", "down"],
      ...["tab", "down", "up", "up", "enter"],
    ]);
    expect(effects).toEqual([
      {
        do: "fault",
        body: {
          match: { path: "POST /quotes/{quoteId}/execute", times: 1 },
          fault: { latencyMs: 5_000 },
        },
      },
    ]);
  });

  test("U asks, enter takes back what is armed; what struck already is not armed", () => {
    const used = { ...armed, id: "Fault:2", seen: 1, struck: 1 };
    const watched = watchedWith({ ...ROWS, faults: [armed, used] });
    expect(pressAll(["U"], {}, watched).effects).toEqual([]);
    expect(pressAll(["U", "enter"], {}, watched).effects).toEqual([
      { do: "take-back", ids: ["Fault:1"] },
    ]);
    expect(pressAll(["U", "escape"], {}, watched).view.sheet).toBeUndefined();
    const none = watchedWith({ ...ROWS, faults: [used] });
    expect(pressAll(["U"], {}, none).view.toast?.text).toBe("U: no fault is active, F adds one");
  });
});

import { describe, expect, test } from "vitest";
import { PLATFORM_ENDPOINTS } from "../../src/api/endpoints.ts";
import { InstantInput } from "../../src/contract/core/scalars.ts";
import { CONTROL_ENDPOINTS } from "../../src/control/control-surface.ts";
import { worldPerTest } from "../api/setup/world-per-test.ts";

const world = worldPerTest();

const CAUSE = "In a query a + stands for a space, so that of the offset has to be sent as %2B";

const send = async (path: string) => {
  const { sim } = world();
  const base = path.startsWith("/_sim") ? new URL(sim.apiUrl).origin : sim.apiUrl;
  const authorization = `Basic ${btoa(`${sim.clientId}:${sim.clientSecret}`)}`;
  const response = await sim.fetch(new Request(base + path, { headers: { authorization } }));
  return { status: response.status, text: await response.text() };
};

/** Every query parameter that takes an instant alone, on both surfaces. */
const instants = [
  ...PLATFORM_ENDPOINTS.map((one) => ({ ...one, base: "" })),
  ...CONTROL_ENDPOINTS.map((one) => ({ ...one, base: "/_sim" })),
]
  .filter(({ agentAccess }) => !agentAccess)
  .flatMap(({ base, path, query }) =>
    Object.entries(query)
      .filter(([, shape]) => (shape as { unwrap?(): unknown }).unwrap?.() === InstantInput)
      .map(([name]) => ({ place: `${base}${path}`, name })),
  );

// spec/lists.md#filter-values
describe("a + that was not encoded is named as the cause, with %2B", () => {
  test("in each instant of a query: the list is not empty", () => {
    expect(instants.length).toBeGreaterThan(20);
    expect(new Set(instants.map(({ place }) => place)).size).toBeGreaterThan(8);
  });

  test.each(instants)("$name of $place", async ({ place, name }) => {
    const others = place.endsWith("/series") ? "account=InternalAccount:1&currency=USD&" : "";
    const { status, text } = await send(`${place}?${others}${name}=2026-01-01T00:00:00+02:00`);
    expect({ status, text }).toEqual({ status: 400, text: expect.stringContaining(CAUSE) });
    expect(text).toContain(`${name}=2026-01-01T00:00:00%2B02:00`);
  });

  test.each([
    "/_sim/diff?from=2026-01-01T00:00:00+02:00",
    "/_sim/webhooks/wait?type=TEST&since=2026-01-01T00:00:00.000+02:00",
    "/transactions?limit=5&endDate=2026-01-01T00%3A00%3A00+0200",
  ])("also where it is one of several forms: %s", async (path) => {
    expect((await send(path)).text).toContain(CAUSE);
  });
});

test.each([
  "/transactions?startDate=2026-01-01T00:00:00%2002:00",
  "/transactions?startDate=2026-01-01T00:00:00",
  "/transactions?startDate=a+b",
  "/transactions?limit=x&startDate=2026-01-01T00:00:00Z&cursor=a+b",
])("another cause is not blamed on a +: %s", async (path) => {
  const { status, text } = await send(path);
  expect(status).toBe(400);
  expect(text).not.toContain("%2B");
});

test("the instant with %2B is taken", async () => {
  expect((await send("/transactions?startDate=2026-01-01T00:00:00%2B02:00")).status).toBe(200);
});

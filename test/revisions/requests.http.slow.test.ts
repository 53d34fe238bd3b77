import { expect, test } from "vitest";
import { activeCard } from "../api/cards/setup/card-world.ts";
import { worldPerTest } from "../api/setup/world-per-test.ts";

const LATER = "2026-08";

// spec/revisions.md#requests
const world = {
  "2025-10": worldPerTest(),
  [LATER]: worldPerTest({ revision: LATER }),
};

test.each(["2025-10", LATER] as const)(
  "a call in %s tells which revision has its operation and its members",
  async (revision) => {
    const { call, control, raw } = world[revision]();
    const uses = async (sent: () => Promise<unknown>) => {
      await sent();
      const [{ id }] = (await control("GET", "/requests?limit=1")).body.data;
      const { revisions } = (await control("GET", `/requests/${id}`)).body;
      expect((await control("GET", `/why/${id}`)).body.revisions).toEqual(revisions);
      return revisions;
    };
    const { cardId } = await activeCard(world[revision](), { on: "usd", minor: 1_000 });
    const reveal = () => call("POST", `/cards/${cardId}/reveal`);
    expect(await uses(reveal)).toEqual([{ revision: LATER, operation: true, members: [] }]);
    expect(await uses(() => call("GET", `/cards/${cardId}`))).toBeUndefined();
    expect(await uses(() => call("GET", "/cards?other=1"))).toBeUndefined();
    const broken = () =>
      raw("POST", "/quotes", { body: "{", headers: { "content-type": "application/json" } });
    expect(await uses(broken)).toBeUndefined();
  },
);

import { describe, expect, test } from "vitest";
import { expectNothing, expectRefused, invalid } from "../setup/refused.ts";
import { worldPerTest } from "../setup/world-per-test.ts";
import {
  authorize,
  clear,
  createCardholder,
  getCard,
  issueCard,
  openAccount,
  patchCard,
  retryPatch,
} from "./setup/card-world.ts";

const world = worldPerTest();

type State = "PENDING_ISSUE" | "ACTIVE" | "FROZEN" | "CLOSED";
type Wanted = "ACTIVE" | "FROZEN" | "CLOSED";

/** A card in the given state. */
const cardIn = async (state: State) => {
  const holder = await createCardholder(world(), { usd: 10_000 });
  const card = await issueCard(world(), {
    cardholderId: holder.customerId,
    fundingSources: [holder.usdId],
    platformCardId: state === "PENDING_ISSUE" ? "waits-001" : "moves",
  });
  if (state === "FROZEN" || state === "CLOSED") await patchCard(world(), card.id, { state });
  const found = await getCard(world(), card.id);
  expect(found.state).toBe(state);
  return { holder, card: found, id: card.id as string };
};

/** Every state with every state that PATCH can ask for (spec/cards.md#states). */
const MOVES: Record<State, Record<Wanted, "moves" | "refused">> = {
  PENDING_ISSUE: { ACTIVE: "refused", FROZEN: "refused", CLOSED: "refused" },
  ACTIVE: { ACTIVE: "refused", FROZEN: "moves", CLOSED: "moves" },
  FROZEN: { ACTIVE: "moves", FROZEN: "refused", CLOSED: "moves" },
  CLOSED: { ACTIVE: "refused", FROZEN: "refused", CLOSED: "refused" },
};

const CELLS = Object.entries(MOVES).flatMap(([from, row]) =>
  Object.entries(row).map(([wanted, cell]) => ({
    from: from as State,
    wanted: wanted as Wanted,
    cell,
  })),
);
const TRANSITION = { status: 409, code: "INVALID_STATE_TRANSITION" };

describe("PATCH state", () => {
  test.each(CELLS.filter(({ cell }) => cell === "moves"))(
    "moves a card from $from to $wanted",
    async ({ from, wanted }) => {
      const { id } = await cardIn(from);
      const { status, body } = await patchCard(world(), id, { state: wanted });
      expect([status, body.state, body.stateReason]).toEqual([
        200,
        wanted,
        wanted === "CLOSED" ? "CLOSED_BY_PLATFORM" : null,
      ]);
      expect(await getCard(world(), id)).toEqual(body);
    },
  );

  test.each(CELLS.filter(({ cell }) => cell === "refused"))(
    "from $from to $wanted is refused at the first call, also beside sources",
    async ({ from, wanted }) => {
      const { id, holder } = await cardIn(from);
      const patch = (body: object) => () => world().call("PATCH", `/cards/${id}`, body);
      await expectNothing(world(), patch({ state: wanted }), TRANSITION);
      if (wanted === "CLOSED") return;
      const both = { state: wanted, fundingSources: [holder.usdId] };
      await expectNothing(world(), patch(both), TRANSITION);
    },
  );

  /** Moves that were possible at the first call and no longer are at the second. */
  const LATE: { asked: Wanted; whileIn: State; nowIn: Wanted }[] = [
    { asked: "FROZEN", whileIn: "ACTIVE", nowIn: "FROZEN" },
    { asked: "FROZEN", whileIn: "ACTIVE", nowIn: "CLOSED" },
    { asked: "CLOSED", whileIn: "ACTIVE", nowIn: "CLOSED" },
    { asked: "ACTIVE", whileIn: "FROZEN", nowIn: "ACTIVE" },
    { asked: "ACTIVE", whileIn: "FROZEN", nowIn: "CLOSED" },
    { asked: "CLOSED", whileIn: "FROZEN", nowIn: "CLOSED" },
  ];

  test.each(LATE)(
    "to $asked, asked in $whileIn, is refused at the second call once the card is $nowIn",
    async ({ asked, whileIn, nowIn }) => {
      const { id } = await cardIn(whileIn);
      const body = { state: asked };
      const first = await world().call("PATCH", `/cards/${id}`, body);
      expect(first.status).toBe(202);
      expect((await patchCard(world(), id, { state: nowIn })).status).toBe(200);
      const { requestId } = first.body;
      await expectNothing(world(), () => retryPatch(world(), id, { body, requestId }), TRANSITION);
    },
  );

  test("a close requested while ACTIVE may be signed while FROZEN", async () => {
    const { id } = await cardIn("ACTIVE");
    const body = { state: "CLOSED" };
    const { requestId } = (await world().call("PATCH", `/cards/${id}`, body)).body;
    await patchCard(world(), id, { state: "FROZEN" });
    const { status } = await retryPatch(world(), id, { body, requestId });
    expect([status, (await getCard(world(), id)).state]).toEqual([200, "CLOSED"]);
  });

  test.each(["PENDING_KYC", "PENDING_ISSUE", "active", "", null, 1, ["ACTIVE"]])(
    "%j is no state it takes, whatever state the card is in",
    async (state) => {
      for (const from of ["ACTIVE", "CLOSED"] as const) {
        const { id } = await cardInWorldOf(from);
        expectRefused(await world().call("PATCH", `/cards/${id}`, { state }), invalid("state"));
      }
    },
  );

  const cardInWorldOf = async (state: State) => {
    const holder = await createCardholder(world());
    const { id } = await issueCard(world(), {
      cardholderId: holder.customerId,
      fundingSources: [holder.usdId],
    });
    if (state !== "ACTIVE") await patchCard(world(), id, { state });
    return { id };
  };

  test("CLOSED with sources is refused before the state is checked", async () => {
    for (const from of ["ACTIVE", "CLOSED"] as const) {
      const { id } = await cardInWorldOf(from);
      const other = await createCardholder(world());
      const body = { state: "CLOSED", fundingSources: [other.usdId] };
      const answer = await world().call("PATCH", `/cards/${id}`, body);
      expectRefused(answer, invalid("fundingSources"));
    }
  });

  test("neither state nor sources is refused", async () => {
    const { id } = await cardIn("ACTIVE");
    for (const body of [{}, { form: "VIRTUAL" }]) {
      const { status, body: refused } = await world().call("PATCH", `/cards/${id}`, body);
      expect([status, refused.code]).toEqual([400, "INVALID_INPUT"]);
    }
  });

  test("an unknown card is 404, before its body is checked", async () => {
    const answer = await world().call("PATCH", "/cards/Card:none", { state: 7 });
    expectRefused(answer, { status: 404, code: "REFERENCE_NOT_FOUND" });
  });
});

describe("a closed card", () => {
  test("accepts no other sources", async () => {
    const { id, holder } = await cardIn("CLOSED");
    const patch = () => world().call("PATCH", `/cards/${id}`, { fundingSources: [holder.usdId] });
    await expectNothing(world(), patch, { status: 409, code: "CARD_NOT_MUTABLE" });
  });

  test("still refuses bad sources first", async () => {
    const { id, holder } = await cardIn("CLOSED");
    const unfit = await openAccount(world(), {
      customerId: holder.customerId,
      currency: "USD",
      suffix: "003",
    });
    const patch = (fundingSources: string[]) =>
      world().call("PATCH", `/cards/${id}`, { fundingSources });
    expect((await patch([unfit])).body.code).toBe("FUNDING_SOURCE_INELIGIBLE");
    expect((await patch(["InternalAccount:none"])).body.reason).toBe("ACCOUNT_NOT_FOUND");
  });

  test("keeps all fields but its sources", async () => {
    const { id, card } = await cardIn("ACTIVE");
    await world().control("POST", "/clock/advance", { by: "1m" });
    await patchCard(world(), id, { state: "CLOSED" });
    expect(await getCard(world(), id)).toEqual({
      ...card,
      state: "CLOSED",
      stateReason: "CLOSED_BY_PLATFORM",
      fundingSources: [],
      updatedAt: "2026-01-05T09:01:00.000Z",
    });
  });
});

describe("authorizations", () => {
  test.each([
    { state: "ACTIVE", status: "AUTHORIZED" },
    { state: "FROZEN", status: "DECLINED", declineCode: "CARD_PAUSED" },
    { state: "PENDING_ISSUE", status: "DECLINED", declineCode: "CARD_NOT_ACTIVE" },
    { state: "CLOSED", status: "DECLINED", declineCode: "CARD_NOT_ACTIVE" },
  ] as const)("on a card that is $state: $status", async ({ state, ...told }) => {
    const { id, holder } = await cardIn(state);
    const done = await authorize(world(), id, { amount: 500 });
    expect(done).toMatchObject({ ...told, accountId: holder.usdId });
    if (told.status === "AUTHORIZED") expect(done.declineCode).toBeUndefined();
  });

  test.each(["ACTIVE", "FROZEN", "PENDING_ISSUE", "CLOSED"] as const)(
    "never once its customer is deleted, on a card that is %s and stays so",
    async (state) => {
      const { id, holder } = await cardIn(state);
      await world().call("DELETE", `/customers/${holder.customerId}`);
      const before = await getCard(world(), id);
      for (const descriptor of ["NORTH PIER BOOKS", "SHOP 002", "SHOP 003", "SHOP 005", "SHOP 006"])
        expect(await authorize(world(), id, { amount: 500, descriptor })).toMatchObject({
          status: "DECLINED",
          declineCode: "CARD_CLOSED",
          accountId: holder.usdId,
        });
      expect(before.state).toBe(state);
      expect(await getCard(world(), id)).toEqual(before);
    },
  );

  test("work again once a frozen card is active", async () => {
    const { id } = await cardIn("FROZEN");
    await patchCard(world(), id, { state: "ACTIVE" });
    expect((await authorize(world(), id, { amount: 500 })).status).toBe("AUTHORIZED");
  });
});

describe("the operator closes", () => {
  const close = (id: string) => world().control("POST", `/cards/${id}/close`);

  test.each(["PENDING_ISSUE", "ACTIVE", "FROZEN"] as const)("a card that is %s", async (state) => {
    const { id } = await cardIn(state);
    const { status, body } = await close(id);
    expect([status, body.state, body.stateReason, body.fundingSources]).toEqual([
      200,
      "CLOSED",
      "CLOSED_BY_GRID",
      [],
    ]);
    expect(await getCard(world(), id)).toEqual(body);
  });

  test("no card that is already closed", async () => {
    const { id } = await cardIn("CLOSED");
    const { status, body } = await close(id);
    expect([status, body.error?.code ?? body.code]).toEqual([409, "INVALID_STATE_TRANSITION"]);
    expect((await getCard(world(), id)).stateReason).toBe("CLOSED_BY_PLATFORM");
  });

  test("no card that does not exist", async () => {
    expect((await close("Card:none")).status).toBe(404);
  });

  test("and no card is provisioned afterwards", async () => {
    const holder = await createCardholder(world());
    const card = await issueCard(world(), {
      cardholderId: holder.customerId,
      fundingSources: [holder.usdId],
      platformCardId: "late-005",
    });
    await close(card.id);
    const { body } = await world().control("POST", "/clock/advance", { by: "1m" });
    expect(body.firedCount).toBe(0);
    expect((await getCard(world(), card.id)).state).toBe("CLOSED");
  });
});

test("a card of a deleted customer keeps its state, can be cleared and updated", async () => {
  const { id, holder } = await cardIn("ACTIVE");
  const authorized = await authorize(world(), id, { amount: 500 });
  await world().call("DELETE", `/customers/${holder.customerId}`);
  expect((await getCard(world(), id)).state).toBe("ACTIVE");
  expect((await clear(world(), authorized, 500)).status).toBe("SETTLED");
  expect((await patchCard(world(), id, { state: "FROZEN" })).status).toBe(200);
});

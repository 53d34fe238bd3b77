import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { activeCard } from "../api/cards/setup/card-world.ts";
import { Receiver } from "../setup/receiver.ts";
import { basic } from "../setup/tokens.ts";
import { formOf, PASSPORT, pdfOf } from "../setup/uploads.ts";
import { hasPostgres, PostgresServer, sayIfSkipped } from "../storage/setup/postgres-server.ts";
import {
  type Asked,
  asTestSimulator,
  customersIn,
  customersOf,
  FeedReader,
  type Got,
  makeCustomer,
  ownerOf,
  SharedProcess,
} from "./setup/shared-processes.ts";

sayIfSkipped("worlds that several processes share");

const post = (body: object = {}): Asked => ({ method: "POST", body });

const POLICY = {
  permissions: ["VIEW_TRANSACTIONS"],
  defaultExecutionMode: "AUTO",
  spendingLimits: { currency: "USD", perTransactionLimit: 40_000 },
};

describe.skipIf(!hasPostgres())("processes of one database", () => {
  let server: PostgresServer;
  let receiver: Receiver;
  beforeAll(async () => {
    server = await PostgresServer.start();
    receiver = await new Receiver().start();
  });
  afterAll(async () => {
    await receiver?.stop();
    await server?.delete();
  });

  const newStorage = async () => server.url(await server.database());

  // spec/store.md#several-processes
  describe("answer every call, whichever of them serves its world", () => {
    let storage: string;
    /** Serves the default world; `second` serves the world `blue`, `third` `green` and `own`. */
    let first: SharedProcess;
    let second: SharedProcess;
    let third: SharedProcess;
    let all: SharedProcess[] = [];
    /** The customer of `blue`. */
    let blueId: string;

    const OWN = { name: "own", clientId: "acme", clientSecret: "acme-secret" };
    const ofOwn = { headers: { authorization: basic(OWN.clientId, OWN.clientSecret) } };

    /** Makes the worlds before the three begin, so that each of these can take its own. */
    const makeWorlds = async () => {
      const revision = "2026-08";
      const maker = await SharedProcess.open(storage, { webhookEndpoint: receiver.url, revision });
      for (const world of [{ name: "blue" }, { name: "green" }, OWN])
        expect((await maker.control(undefined, "/worlds", post(world))).status).toBe(201);
      blueId = await makeCustomer(maker, "blue", "ada");
      await makeCustomer(maker, "green", "eve");
      await makeCustomer(maker, undefined, "bob");
      await maker.sim.close();
      expect(maker.alarms).toEqual([]);
    };

    beforeAll(async () => {
      storage = await newStorage();
      await makeWorlds();
      first = await SharedProcess.open(storage);
      second = await SharedProcess.open(storage);
      third = await SharedProcess.open(storage);
      all = [first, second, third];
      await second.call("blue", "/customers");
      await third.call("green", "/customers");
      await third.send(`${third.base}/customers`, ofOwn);
    });
    afterAll(async () => {
      await Promise.all(all.map(({ sim }) => sim.close()));
      expect(all.map(({ alarms }) => alarms)).toEqual([[], [], []]);
    });

    test("each serves worlds of its own, and all have one control token", async () => {
      const ids = await Promise.all(all.map((process) => process.id()));
      expect(new Set(ids).size).toBe(3);
      const names = ["sandbox", "blue", "green", "own"];
      const owners = await Promise.all(names.map((name) => ownerOf(server, storage, name)));
      expect(owners).toEqual([ids[0], ids[1], ids[2], ids[2]]);
      expect(new Set(all.map(({ sim }) => sim.controlToken)).size).toBe(1);
    });

    const MEANT: [way: string, ask: (process: SharedProcess) => Promise<Got>, who: string[]][] = [
      ["nothing: the default world", (process) => process.call(undefined, "/customers"), ["bob"]],
      [
        "a header",
        (process) => process.call(undefined, "/customers", { headers: { "x-sim-world": "blue" } }),
        ["ada"],
      ],
      ["a user name", (process) => process.call("blue", "/customers"), ["ada"]],
      ["credentials of its own", (process) => process.send(`${process.base}/customers`, ofOwn), []],
      [
        "an API token that it made",
        async (process) => {
          const body = { name: "ci", permissions: ["VIEW"] };
          const { body: token } = await process.call("green", "/tokens", post(body));
          const authorization = basic(token.clientId, token.clientSecret);
          return process.send(`${process.base}/customers`, { headers: { authorization } });
        },
        ["eve"],
      ],
    ];
    test.each(MEANT)("a world is meant by %s", async (_way, ask, who) => {
      for (const process of all) {
        const got = await ask(process);
        expect([got.status, customersIn(got)]).toEqual([200, who]);
      }
    });

    test("a world is meant by a query and by a header on the control surface", async () => {
      for (const process of all) {
        const byQuery = await process.control("blue", `/records/${blueId}`);
        expect([byQuery.status, byQuery.body.record?.platformCustomerId]).toEqual([200, "ada"]);
        const headers = { "x-sim-world": "blue" };
        const byHeader = await process.control(undefined, `/records/${blueId}`, { headers });
        expect([byHeader.status, byHeader.body]).toEqual([200, byQuery.body]);
      }
    });

    test("a device code and an agent's token mean the world that made them", async () => {
      const input = { name: "bot", customerId: blueId, policy: POLICY };
      const { body } = await first.call("blue", "/agents", post(input));
      const path = `/agents/device-codes/${body.deviceCode.code}/redeem`;
      const redeemed = await third.send(third.base + path, post());
      expect(redeemed.status).toBe(200);
      const headers = { authorization: `Bearer ${redeemed.body.accessToken}` };
      for (const process of all) {
        const me = await process.send(`${process.base}/agents/me`, { headers });
        expect([me.status, me.body.id]).toEqual([200, body.agent.id]);
      }
    });

    test("a document of 200 KiB goes to its world, and is there through each", async () => {
      const file = { bytes: pdfOf(200 * 1024) };
      const form = formOf({ documentHolder: blueId, ...PASSPORT }, file);
      const made = await first.call("blue", "/documents", { method: "POST", body: form });
      expect(made.status).toBe(201);
      for (const process of all) {
        const got = await process.call("blue", `/documents/${made.body.id}`);
        expect([got.status, got.body.id]).toEqual([200, made.body.id]);
      }
    });

    const wrong = () => ({
      headers: { authorization: basic(`${first.sim.clientId}+blue`, "wrong") },
    });
    const REFUSED: [what: string, ask: (process: SharedProcess) => Promise<Got>, says: string][] = [
      ["no credentials", (one) => one.send(`${one.base}/customers`), "401 UNAUTHORIZED"],
      ["a wrong secret", (one) => one.send(`${one.base}/customers`, wrong()), "401 UNAUTHORIZED"],
      ["an unknown path", (one) => one.call("blue", "/none"), "404 REFERENCE_NOT_FOUND"],
      ["an unknown record", (one) => one.call("blue", "/customers/C:1"), "404 USER_NOT_FOUND"],
      ["an empty body", (one) => one.call("blue", "/customers", post()), "400 INVALID_INPUT"],
      ["an unknown hook", (one) => one.control("blue", "/none"), "404 REFERENCE_NOT_FOUND"],
      ["an unknown world", (one) => one.control("bleu", "/clock"), "404 WORLD_NOT_FOUND"],
      [
        "a name that is taken",
        (one) => one.control(undefined, "/worlds", post({ name: "green" })),
        "409 WORLD_EXISTS",
      ],
    ];
    test.each(REFUSED)("%s is refused through each", async (_what, ask, says) => {
      for (const process of all) {
        const { status, body } = await ask(process);
        expect(`${status} ${body.code ?? body.error?.code}`).toBe(says);
      }
    });

    test("HEAD has the head of GET and no body", async () => {
      for (const process of all) {
        const head = await process.call("blue", "/customers", { method: "HEAD" });
        const got = await process.call("blue", "/customers");
        const lengths = [head, got].map(({ headers }) => headers.get("content-length"));
        expect([head.status, head.body, lengths[0]]).toEqual([200, "", lengths[1]]);
      }
    });

    test("a card's number is shown at the host that its caller used", async () => {
      const { cardId } = await activeCard(asTestSimulator(first, "blue"), {
        on: "usd",
        minor: 5_000,
      });
      const shown = new Set<string>();
      for (const process of all) {
        const { status, body } = await process.call("blue", `/cards/${cardId}/reveal`, post());
        expect([status, new URL(body.panEmbedUrl).origin]).toEqual([200, process.url]);
        const { pathname } = new URL(body.panEmbedUrl);
        for (const other of all) {
          const page = await other.send(pathname);
          expect(page.status).toBe(200);
          shown.add(page.body);
        }
      }
      expect([...shown]).toEqual([expect.stringMatching(/Here: .* [0-9]{4}, valid until/)]);
      for (const process of all) {
        expect(
          (await process.send("/pan/blue/00000000-0000-7000-8000-000000000000/0")).status,
        ).toBe(410);
        expect((await process.send("/pan/none/1/0")).status).toBe(410);
      }
    });

    test("a feed tells what another process has answered", async () => {
      const feed = await FeedReader.open(`${first.url}/_sim/events?world=green`);
      await feed.until("event: hello");
      const id = await makeCustomer(second, "green", "fed");
      await feed.until(id);
      await feed.close();
    });

    test("a webhook of a world elsewhere is sent once, and a wait at another process ends", async () => {
      const waited = first.control("blue", "/webhooks/wait?type=INVITATION.CLAIMED&timeout=60s");
      const sent = await third.control(
        "blue",
        "/webhooks/trigger",
        post({ type: "INVITATION.CLAIMED" }),
      );
      expect([sent.status, sent.body.state]).toEqual([200, "ACCEPTED"]);
      expect((await waited).status).toBe(200);
      await second.control("blue", "/clock/advance", post({ by: "1h" }));
      const ids = receiver.received.map(({ id }) => id);
      expect(ids.filter((id) => id === sent.body.id)).toHaveLength(1);
      expect(new Set(ids).size).toBe(ids.length);
    });

    const nowOf = async (world?: string) => (await second.control(world, "/clock")).body.now;

    test.each(["sandbox", "blue", "green"])(
      "the clock of %s is advanced through any",
      async (name) => {
        for (const process of all) {
          const names = ["sandbox", "blue", "green"];
          const before = await Promise.all(names.map(nowOf));
          const moved = await process.control(name, "/clock/advance", post({ by: "1h" }));
          expect(moved.status).toBe(200);
          const after = await Promise.all(names.map(nowOf));
          const hours = names.map(
            (_, at) => (Date.parse(after[at]) - Date.parse(before[at])) / 3_600_000,
          );
          expect(hours).toEqual(names.map((one) => (one === name ? 1 : 0)));
        }
      },
    );

    test("sim.advance moves the default world, whoever serves it", async () => {
      for (const { sim } of all) {
        const before = Date.parse(await nowOf());
        await sim.advance("1h");
        expect(Date.parse(await nowOf()) - before).toBe(3_600_000);
      }
    });

    test("a world elsewhere is saved, restored and wound back", async () => {
      const kept = await customersOf(first, "blue");
      expect((await first.control("blue", "/snapshots/one", { method: "PUT" })).status).toBe(201);
      await makeCustomer(third, "blue", "after-one");
      expect((await third.control("blue", "/snapshots/one/restore", post())).status).toBe(200);
      expect(await customersOf(first, "blue")).toEqual(kept);
      await first.control("blue", "/clock/advance", post({ by: "1h" }));
      await makeCustomer(third, "blue", "an-hour-later");
      expect((await third.control("blue", "/clock/rewind", post({ by: "30m" }))).status).toBe(200);
      expect(await customersOf(first, "blue")).toEqual(kept);
    });

    const namesOf = ({ body }: Got) => body.data.map(({ name }: { name: string }) => name);

    test("the list of worlds is the same through each", async () => {
      const lists = await Promise.all(all.map((one) => one.control(undefined, "/worlds")));
      for (const list of lists) expect(list.body).toEqual(lists[0]?.body);
      expect(namesOf(lists[0] as Got)).toEqual(["sandbox", "blue", "green", "own"]);
    });

    test("a world is made from one elsewhere and in place of another, and removed", async () => {
      const copy = await first.control(
        undefined,
        "/worlds",
        post({ name: "copy", from: "world:blue" }),
      );
      expect(copy.status).toBe(201);
      const next = { name: "next", from: "world:blue", inPlaceOf: "copy" };
      expect((await third.control(undefined, "/worlds", post(next))).status).toBe(201);
      const gone = async (name: string) => {
        for (const process of all) {
          expect((await process.control(name, "/clock")).status).toBe(404);
          expect((await process.send(`/_sim/worlds/${name}`, { method: "DELETE" })).status).toBe(
            404,
          );
          // No late call makes it again.
          const late = await process.call(name, "/customers");
          expect([late.status, late.body.details?.reason]).toEqual([401, "WORLD_REMOVED"]);
        }
      };
      await gone("copy");
      for (const process of all) expect(await customersOf(process, "next")).toContain("ada");
      expect((await third.send("/_sim/worlds/next", { method: "DELETE" })).status).toBe(204);
      await gone("next");
    });

    test("first calls with a new name through all at once make one world", async () => {
      await Promise.all(all.map((process, at) => makeCustomer(process, "fresh", `fresh-${at}`)));
      for (const process of all)
        expect(new Set(await customersOf(process, "fresh"))).toEqual(
          new Set(["bob", "fresh-0", "fresh-1", "fresh-2"]),
        );
    });

    test("forks without a name through all at once have names of their own", async () => {
      const forks = [...all, ...all].map((process) =>
        process.control(undefined, "/worlds", post()),
      );
      const made = (await Promise.all(forks)).map(({ status, body }) => `${status} ${body.name}`);
      expect(made.toSorted()).toEqual([1, 2, 3, 4, 5, 6].map((count) => `201 fork-${count}`));
    });

    test("the console and the recording of a world elsewhere are there through each", async () => {
      for (const process of all) {
        const page = await process.send("/_sim/console?world=green");
        expect([page.status, page.body.slice(0, 15)]).toEqual([200, "<!doctype html>"]);
        const recording = await process.send("/_sim/worlds/green/recording");
        expect([recording.status, recording.body.world]).toEqual([200, "green"]);
        expect((await process.send("/_sim/worlds/none/recording")).status).toBe(404);
      }
    });

    test("a capsule of the default world is begun at one process and ended at another", async () => {
      const begun = third.send("/_sim/capsule", post());
      await first.control(undefined, "/live");
      // It is begun once the process that serves the default world says so.
      await expect.poll(async () => (await second.send("/_sim/capsule", post())).status).toBe(409);
      expect(await customersOf(second, undefined)).toEqual(["bob"]);
      const ended = await second.send("/_sim/capsule", { method: "DELETE" });
      expect([ended.status, ended.body.requests > 0]).toEqual([200, true]);
      expect((await begun).body).toContain("/customers");
    });

    test("coverage counts the calls of a world, whoever was called", async () => {
      const metBy = async (process: SharedProcess) => {
        const { body } = await process.control("own", "/coverage");
        return body.groups.find(({ name }: { name: string }) => name === "operations").met;
      };
      const before = await metBy(second);
      for (const [at, process] of all.entries()) {
        const path = ["/config", "/tokens", "/transactions"][at];
        expect((await process.send(process.base + path, ofOwn)).status).toBe(200);
      }
      expect(await Promise.all(all.map(metBy))).toEqual([before + 3, before + 3, before + 3]);
    });
  });
});

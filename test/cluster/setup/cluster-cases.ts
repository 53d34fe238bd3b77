import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "vitest";
import type { HttpRequest } from "../../../src/http/message/http-request.ts";
import type { WholeReply } from "../../../src/http/message/reply.ts";
import type { SharedStore } from "../../../src/storage/port/shared-store.ts";
import type { Connections } from "../../../src/storage/postgres/connection.ts";
import type { ClusterCode } from "./cluster-code.ts";

/** One promise of several processes, and how it is tried on code that may have a bug. */
export interface ClusterCase {
  name: string;
  check(code: ClusterCode): Promise<void>;
}

const KEY = Buffer.alloc(32, 7);
const PLACE = "postgres://db.example:5432/sim";

const made = (status: number): WholeReply => ({ status, headers: {}, text: "" });

const peerOf = async (server: Server): Promise<string> => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const ended = async (servers: readonly Server[]) => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  }
};

/** The hops of a process; nobody says that another one is gone. */
const hopsOf = (code: ClusterCode, process: string) => {
  const shared = { process, key: KEY, format: 5, processes: async () => [] };
  return new code.Hops({ shared: shared as unknown as SharedStore, forget: () => {} });
};

const post = () => new Request("http://127.0.0.1/pay", { method: "POST", body: "{}" });

/** Sends a POST to an owner that is lost once it has read it. @returns how often it was made again */
const sentToLostOwner = async (code: ClusterCode, { isRepeatable }: { isRepeatable: boolean }) => {
  const found = { arrived: 0, madeAgain: 0, says: "" };
  const owner = createServer((incoming) => {
    found.arrived += 1;
    incoming.socket.destroy();
  });
  const hops = hopsOf(code, "one");
  const serving = { id: "owner", peer: await peerOf(owner), leaseLeftMs: 1000 };
  const served = new code.ServedElsewhere(PLACE, "blue", serving);
  const again = () => {
    found.madeAgain += 1;
    return made(201);
  };
  try {
    const { status } = await hops.answer(post(), served, { isRepeatable, again });
    found.says = `${status}`;
  } catch (error) {
    found.says = (error as { word: string }).word;
  } finally {
    hops.close();
    await ended([owner]);
  }
  return found;
};

/** The cases that are there for planted bugs. */
export const CLUSTER_CASES: readonly ClusterCase[] = [
  {
    name: "a POST without a key that may have arrived at a lost owner is not made again",
    async check(code) {
      expect(await sentToLostOwner(code, { isRepeatable: false })).toEqual({
        arrived: 1,
        madeAgain: 0,
        says: "OWNER_LOST",
      });
      expect(await sentToLostOwner(code, { isRepeatable: true })).toEqual({
        arrived: 1,
        madeAgain: 1,
        says: "201",
      });
    },
  },
  {
    name: "a call that came from another process goes no further: its sender asks the next one",
    async check(code) {
      const arrived: string[] = [];
      const takes = (process: string, answer: (request: HttpRequest) => Promise<WholeReply>) =>
        code.hopServer(
          async (request) => {
            arrived.push(`${process} from ${code.hopOf(request)?.from}`);
            return answer(request);
          },
          { process, key: KEY },
        );
      const owner = takes("owner", async () => made(200));
      const atOwner = { id: "owner", peer: await peerOf(owner), leaseLeftMs: 1000 };
      const served = new code.ServedElsewhere(PLACE, "blue", atOwner);
      const again = () => served;
      const hops = { one: hopsOf(code, "one"), former: hopsOf(code, "former") };
      const former = takes("former", (request) =>
        hops.former.answer(request, served, { isRepeatable: false, again }),
      );
      const remembered = new code.ServedElsewhere(PLACE, "blue", {
        id: "former",
        peer: await peerOf(former),
        leaseLeftMs: 1000,
      });
      try {
        const { status } = await hops.one.answer(post(), remembered, {
          isRepeatable: false,
          again,
        });
        expect([status, arrived]).toEqual([200, ["former from one", "owner from one"]]);
      } finally {
        hops.one.close();
        hops.former.close();
        await ended([owner, former]);
      }
    },
  },
  {
    name: "a role that may lose a commit is refused",
    async check(code) {
      const settings = {
        fsync: "on",
        full_page_writes: "on",
        synchronous_commit: "off",
        standbys: "",
        is_replica: false,
        read_only: "off",
        encoding: "UTF8",
        version: 150_000,
      };
      const named = { place: PLACE, user: "sim", database: "sim" };
      const connections = { named, raw: async () => ({ rows: [settings] }) };
      const opened = code.requireSettings(connections as unknown as Connections);
      await expect(opened).rejects.toThrow("Expected synchronous_commit on but found off");
      await code.requireSettings({
        named,
        raw: async () => ({ rows: [{ ...settings, synchronous_commit: "on" }] }),
      } as unknown as Connections);
    },
  },
];

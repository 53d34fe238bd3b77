import { expect, test } from "vitest";
import { Room, SharedRoom } from "../../src/webhooks/room.ts";

/** A room of one world that begins quick attempts to hosts of its own, and is woken into a list. */
const worldIn = (shared: SharedRoom, name: string, woken: string[]) => {
  const room = new Room({ shared, wake: () => woken.push(name) });
  const hasRoom = (host: string) => room.hasRoomFor({ host, isSlow: false });
  const fill = (hosts: number) => {
    let begun = 0;
    for (let host = 0; host < hosts; host += 1)
      while (hasRoom(`${name}-${host}`)) {
        begun += 1;
        const key = `${name} ${begun}`;
        room.begin(key, { name: key, host: `${name}-${host}`, lane: key, isFirst: true });
      }
    return begun;
  };
  return { room, hasRoom, fill };
};

test("all worlds together begin 256 quick attempts, then wait in line", () => {
  const shared = new SharedRoom();
  const woken: string[] = [];
  const busy = worldIn(shared, "busy", woken);
  const first = worldIn(shared, "first", woken);
  const second = worldIn(shared, "second", woken);
  expect(busy.fill(5)).toBe(256);
  expect([first.fill(1), second.fill(1)]).toEqual([0, 0]);
  expect(busy.hasRoom("busy-4")).toBe(false);
  busy.room.end("busy 1", { wasQuick: true });
  expect(woken).toEqual(["busy"]);
  busy.room.end("busy 2", { wasQuick: true });
  busy.room.end("busy 3", { wasQuick: true });
  expect(woken).toEqual(["busy", "first", "second"]);
  expect(first.fill(1)).toBe(3);
});

test("attempts that turn slow make room for other worlds", () => {
  const shared = new SharedRoom();
  const woken: string[] = [];
  const hanging = worldIn(shared, "hanging", woken);
  const healthy = worldIn(shared, "healthy", woken);
  expect(hanging.fill(4)).toBe(256);
  expect(healthy.hasRoom("healthy-0")).toBe(false);
  hanging.room.becomeSlow("hanging 1");
  expect(woken).toEqual(["hanging", "healthy"].slice(-1));
  expect(healthy.fill(1)).toBe(1);
});

test("a world that closes gives its room back and leaves the line", () => {
  const shared = new SharedRoom();
  const woken: string[] = [];
  const busy = worldIn(shared, "busy", woken);
  const gone = worldIn(shared, "gone", woken);
  busy.fill(4);
  expect(gone.hasRoom("gone-0")).toBe(false);
  gone.room.clear();
  busy.room.clear();
  expect(woken).toEqual([]);
  expect(worldIn(shared, "later", woken).fill(4)).toBe(256);
});

test("a place that a woken world does not take goes to the next in line", () => {
  const shared = new SharedRoom();
  const woken: string[] = [];
  const busy = worldIn(shared, "busy", woken);
  const first = worldIn(shared, "first", woken);
  const second = worldIn(shared, "second", woken);
  busy.fill(4);
  expect([first.fill(1), second.fill(1)]).toEqual([0, 0]);
  busy.room.end("busy 1", { wasQuick: true });
  expect(woken).toEqual(["first"]);
  first.room.passOn();
  expect(woken).toEqual(["first", "second"]);
  expect(second.fill(1)).toBe(1);
  second.room.passOn();
  expect(woken).toEqual(["first", "second"]);
});

test("a woken world that closes hands its place on", () => {
  const shared = new SharedRoom();
  const woken: string[] = [];
  const busy = worldIn(shared, "busy", woken);
  const first = worldIn(shared, "first", woken);
  const second = worldIn(shared, "second", woken);
  busy.fill(4);
  expect([first.fill(1), second.fill(1)]).toEqual([0, 0]);
  busy.room.end("busy 1", { wasQuick: true });
  first.room.clear();
  expect(woken).toEqual(["first", "second"]);
});

import { hash } from "node:crypto";
import { expect } from "vitest";
import type { Draft, Moment } from "../../../src/domain/core/draft.ts";
import { turns } from "../../runtime/setup/random-world.ts";
import { until } from "../../runtime/setup/turns.ts";
import { CAUSE } from "../setup/disk-world.ts";
import type { StoreCase } from "./store-scene.ts";

const bytesOf = (text: string) => Buffer.from(`${text} é 漢 \u0000`);

const shaOf = (text: string) => hash("sha256", bytesOf(text), "hex");

const nameFile = (draft: Draft, { id, sha256 }: { id: string; sha256: string }, moment: Moment) =>
  draft.put("Document", {
    id,
    documentHolder: "Customer:1",
    documentType: "PASSPORT",
    country: "US",
    fileName: "a.pdf",
    file: { sha256, sizeBytes: 1, mediaType: "application/pdf" },
    createdAtMs: moment.atMs,
    updatedAtMs: moment.atMs,
  });

const dropFile = (draft: Draft, id: string) => draft.del("Document", id);

/** Items that worlds have beside their records. */
export const ITEM_CASES: readonly StoreCase[] = [
  {
    name: "an item is there as it was put last, and only in its world",
    run: async (scene) => {
      const { items } = await scene.open();
      expect(await items.item("fixture")).toBeUndefined();
      await items.putItem("fixture", bytesOf("one"));
      await items.putItem("fixture", bytesOf("two"));
      const fork = await scene.fork("f");
      await fork.items.putItem("fixture", bytesOf("of fork"));
      await scene.killed();
      expect(await scene.world.items.item("fixture")).toEqual(bytesOf("two"));
      expect(await (await scene.openFork("f")).items.item("fixture")).toEqual(bytesOf("of fork"));
    },
  },
  {
    name: "an item that is put away is gone",
    run: async (scene) => {
      const { items } = await scene.open();
      await items.putItem("requests", bytesOf("one"));
      await items.putItem("requests", undefined);
      await items.putItem("requests", undefined);
      expect(await items.item("requests")).toBeUndefined();
      await scene.killed();
      expect(await scene.world.items.item("requests")).toBeUndefined();
    },
  },
  {
    name: "items outlive changes, checkpoints, restore points and switches",
    run: async (scene) => {
      const { items } = await scene.open();
      await items.putItem("fixture", bytesOf("kept"));
      await scene.change(4);
      await scene.checkpoint();
      await scene.world.points.save("a");
      await scene.change(1);
      await scene.switchTo(await scene.point("a"));
      await scene.change(1);
      await scene.checkpoint();
      await scene.killed();
      expect(await scene.world.items.item("fixture")).toEqual(bytesOf("kept"));
      expect(scene.world.identity.clientSecret).toBe("secret");
    },
  },
  {
    name: "a file that a record names stays, in all that comes after",
    run: async (scene) => {
      const { files } = await scene.open();
      const named = async (text: string, world = scene.world) => {
        await world.files.keepFor(bytesOf(text), (sha256) =>
          world.engine.commit(nameFile, { id: `Document:${text}`, sha256 }, CAUSE),
        );
        await scene.durable(world);
      };
      await named("a");
      await scene.world.points.save("with-a");
      await scene.checkpoint();
      await named("b");
      const fork = await scene.fork("f");
      await named("c", fork);
      await scene.switchTo(await scene.point("with-a"));
      await scene.checkpoint();
      await scene.change(1);
      await scene.checkpoint();
      expect(files).toBeDefined();
      await scene.killed();
      const has = await scene.store.files();
      expect(["a", "b", "c"].map((text) => has.has(shaOf(text)))).toEqual([true, true, true]);
    },
  },
  {
    name: "a file of a restore point stays until the restore point goes",
    run: async (scene) => {
      await scene.open();
      const { engine } = scene.world;
      await scene.world.files.keepFor(bytesOf("a"), (sha256) =>
        engine.commit(nameFile, { id: "Document:a", sha256 }, CAUSE),
      );
      await scene.world.points.save("with-a");
      engine.commit(dropFile, "Document:a", CAUSE);
      await scene.durable();
      await scene.checkpoint();
      await scene.change(1);
      await scene.checkpoint();
      await turns(20);
      expect((await scene.store.files()).has(shaOf("a"))).toBe(true);
      await scene.world.points.remove("with-a");
      await scene.again();
      const later = scene.world.engine;
      later.commit(nameFile, { id: "Document:b", sha256: shaOf("none") }, CAUSE);
      later.commit(dropFile, "Document:b", CAUSE);
      await scene.durable();
      await scene.checkpoint();
      await scene.change(1);
      await scene.checkpoint();
      await until("the file to go", async () => !(await scene.store.files()).has(shaOf("a")));
    },
  },
  {
    name: "a record that names a file that is not there hinders nothing",
    run: async (scene) => {
      const { engine } = await scene.open();
      engine.commit(nameFile, { id: "Document:x", sha256: shaOf("never stored") }, CAUSE);
      await scene.durable();
      await scene.world.points.save("a");
      await scene.checkpoint();
      await scene.fork("f");
      await scene.switchTo(await scene.point("a"));
      await scene.change(1);
      const image = scene.image();
      await scene.killed();
      expect(scene.image()).toEqual(image);
      await scene.openFork("f");
    },
  },
];

/** Items that a world has beside its records, each written whole (spec/store.md#items). */
export type Item = "identity" | "fixture" | "requests";

/** The reason why an item cannot be read, at this attempt and at any other. */
export interface UnreadItem {
  found: string;
}

/** The items of one world. */
export interface Items {
  /** Bytes of an item; nothing when there is none. */
  item(item: Item): Promise<Buffer | UnreadItem | undefined>;
  /** Replaces an item whole, or deletes it; when it fails, the earlier one is still there. */
  putItem(item: Item, bytes: Buffer | undefined): Promise<void>;
  /** Says where an item is, for people. */
  placeOf(item: Item): string;
}

/** Items that are only read. */
export type ReadItems = Pick<Items, "item" | "placeOf">;

/** Items of a world in memory. */
export const memoryItems = (): Items => {
  const items = new Map<Item, Buffer>();
  return {
    item: async (item) => items.get(item),
    putItem: async (item, bytes) => {
      if (bytes) items.set(item, bytes);
      else items.delete(item);
    },
    placeOf: () => "memory",
  };
};

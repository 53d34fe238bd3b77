interface Store<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

/**
 * Values of the keys that were asked for last; at most twice `most` are kept. Only for values that
 * depend on their key alone.
 */
export class Recent<K, V> {
  private readonly most: number;
  private readonly store: () => Store<K, V>;
  private young: Store<K, V>;
  private old: Store<K, V>;
  private count = 0;

  /** @param store makes an empty one, such as a `WeakMap` where keys should not be held */
  constructor(most: number, store: () => Store<K, V>) {
    this.most = most;
    this.store = store;
    this.young = store();
    this.old = store();
  }

  of(key: K, make: (key: K) => V): V {
    const known = this.young.get(key);
    if (known !== undefined) return known;
    const value = this.old.get(key) ?? make(key);
    if (this.count >= this.most) {
      this.old = this.young;
      this.young = this.store();
      this.count = 0;
    }
    this.young.set(key, value);
    this.count += 1;
    return value;
  }
}

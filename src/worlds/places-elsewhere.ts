import type { ServedElsewhere } from "../runtime/served-elsewhere.ts";

/** Most worlds and caller keys that are remembered; the oldest are forgotten. */
const MOST = 4096;

const put = <Value>(map: Map<string, Value>, key: string, value: Value) => {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MOST && oldest !== undefined) map.delete(oldest);
};

/**
 * Places of the worlds that other processes serve, so that most calls ask the store nothing
 * (spec/store.md#placement). Each may be old: a process that serves a world no longer says so, and is
 * forgotten.
 */
export class PlacesElsewhere {
  private readonly served = new Map<string, ServedElsewhere>();
  private readonly makers = new Map<string, string>();

  /** Notes which process serves a world. */
  note(served: ServedElsewhere): ServedElsewhere {
    put(this.served, served.world, served);
    return served;
  }

  /** The process that served a world when somebody looked last. */
  of(world: string): ServedElsewhere | undefined {
    return this.served.get(world);
  }

  forget(world: string) {
    this.served.delete(world);
  }

  /** Notes which world made what a caller shows. */
  noteMaker(key: string, world: string) {
    put(this.makers, key, world);
  }

  makerOf(key: string): string | undefined {
    return this.makers.get(key);
  }

  forgetMaker(key: string) {
    this.makers.delete(key);
  }
}

import type { DamagedWorld } from "../contract/control/worlds.ts";
import { refuse } from "../domain/core/refusal.ts";

/** Worlds on file storage whose files cannot be read (spec/worlds.md#unloading). */
export class DamagedWorlds {
  private readonly damages = new Map<string, string>();
  private readonly alarm: (message: string) => void;

  constructor(alarm: (message: string) => void) {
    this.alarm = alarm;
  }

  note(name: string, { message }: Error) {
    this.damages.set(name, message);
    this.alarm(`the world ${name} is damaged: ${message}`);
  }

  has(name: string) {
    return this.damages.has(name);
  }

  /**
   * Forgets a world that is removed.
   * @returns a function that takes it up again; nothing if it is not a damaged one
   */
  forget(name: string): (() => void) | undefined {
    const damage = this.damages.get(name);
    if (damage === undefined) return undefined;
    this.damages.delete(name);
    return () => void this.damages.set(name, damage);
  }

  list(): DamagedWorld[] {
    return [...this.damages].map(([name, damage]) => ({ name, found: damage }));
  }

  /** Refuses a world whose files cannot be read, with its fault. */
  requireWhole(name: string) {
    const damage = this.damages.get(name);
    if (damage === undefined) return;
    const why = `the world ${name} is damaged: ${damage}`;
    const next =
      "service-sim stop, then service-sim doctor --repair, which moves it aside and keeps its " +
      `files; or service-sim worlds remove ${name}, which deletes it`;
    refuse("UNAVAILABLE", { why }, { says: `The world cannot be used: ${why}`, next });
  }
}

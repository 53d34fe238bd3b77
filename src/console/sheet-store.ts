/** A question over the view: nothing happens until it is answered. */
export type Sheet =
  | { kind: "advance"; to?: string }
  | { kind: "rewind"; to?: string; before?: string }
  | { kind: "confirm"; title: string; says: string; go: string; run(): Promise<void> }
  | { kind: "keys" }
  | { kind: "go-to" };

/** Sheets that cover the page and take all keys. */
const MODAL: ReadonlySet<string> = new Set(["confirm", "keys", "go-to"]);

export const isModal = (sheet: Sheet | undefined) => sheet !== undefined && MODAL.has(sheet.kind);

/**
 * The open sheet. It stands beside the context of the views: a drag of the clock changes it with
 * each move of the pointer, and then the time line alone is drawn again.
 */
export class SheetStore {
  private sheet: Sheet | undefined;
  private readonly listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  readonly current = () => this.sheet;

  /** Opens a sheet in place of the present one, or closes it. */
  readonly open = (sheet: Sheet | undefined) => {
    if (sheet === this.sheet) return;
    this.sheet = sheet;
    for (const listener of this.listeners) listener();
  };
}

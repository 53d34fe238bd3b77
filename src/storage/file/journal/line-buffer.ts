/** Bytes of a new buffer: some tens of changes. */
const FIRST_BYTES = 64 * 1024;

/** Buffers up to this many bytes are kept for the next turn. */
const MOST_KEPT_BYTES = 4 * 1024 * 1024;

/** Buffers kept while no journal has lines: as many worlds as change in one turn. */
const MOST_KEPT = 4;

/** A character of a string takes at most three bytes. */
const BYTES_PER_CHARACTER = 3;

const kept: Buffer[] = [];

/**
 * Lines that wait to be written with one call. Journals share a few buffers, which are kept: a new
 * one of over 128 kB takes fresh pages of the system in each turn (decisions/one-write-a-turn.md).
 */
export class LineBuffer {
  private bytes: Buffer | undefined;
  private length = 0;

  /** Adds a text at the end. */
  add(text: string) {
    this.length += this.withRoom(text.length * BYTES_PER_CHARACTER).write(text, this.length);
  }

  /** Adds bytes at the end. */
  addBytes(bytes: Buffer) {
    this.length += bytes.copy(this.withRoom(bytes.length), this.length);
  }

  /** Bytes added since `clear`. */
  get size() {
    return this.length;
  }

  /** All that was added since `clear`, which may overwrite it; nothing where nothing was. */
  whole(): Buffer | undefined {
    return this.bytes?.subarray(0, this.length);
  }

  /** Gives the buffer back. */
  clear() {
    const { bytes } = this;
    this.bytes = undefined;
    this.length = 0;
    if (bytes && bytes.length <= MOST_KEPT_BYTES && kept.length < MOST_KEPT) kept.push(bytes);
  }

  private withRoom(room: number): Buffer {
    this.bytes ??= kept.pop() ?? Buffer.allocUnsafeSlow(FIRST_BYTES);
    if (this.bytes.length - this.length < room) this.bytes = this.grown(this.bytes, room);
    return this.bytes;
  }

  private grown(bytes: Buffer, room: number): Buffer {
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * bytes.length, this.length + room));
    bytes.copy(larger, 0, 0, this.length);
    return larger;
  }
}

import type { JournalFiles } from "../../../src/storage/file/journal/journal-file.ts";
import { type FaultKind, FaultLayer } from "../faults/fault-layer.ts";

/** Replaces calls of a layer by mistaken ones. */
const mistaken = (layer: FaultLayer, calls: Partial<JournalFiles>) =>
  Object.assign(layer, { files: { ...layer.files, ...calls } });

/** A disk whose names are never synced although a caller asks for it. */
export const withoutNameSync = (kind: FaultKind, at: number) => {
  const layer = new FaultLayer(kind, at);
  return Object.assign(layer, { folders: { ...layer.folders, syncName: async () => {} } });
};

/** A disk whose bytes are never synced although a caller asks for it. */
export const withoutByteSync = (kind: FaultKind, at: number) => {
  const layer = new FaultLayer(kind, at);
  return mistaken(layer, { sync: (_fd, done) => setImmediate(() => done(null)) });
};

/** A journal that takes a failed write for done. */
export const failedWriteIsDone = (kind: FaultKind, at: number) => {
  const layer = new FaultLayer(kind, at);
  const { write } = layer.files;
  return mistaken(layer, {
    write: (fd, bytes, from) => {
      try {
        return write(fd, bytes, from);
      } catch {
        return bytes.length - from.from;
      }
    },
  });
};

/** A journal that takes a short write for a whole one. */
export const shortWriteIsWhole = (kind: FaultKind, at: number) => {
  const layer = new FaultLayer(kind, at);
  const { write } = layer.files;
  return mistaken(layer, {
    write: (fd, bytes, from) => {
      write(fd, bytes, from);
      return bytes.length - from.from;
    },
  });
};

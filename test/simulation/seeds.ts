/** Seeds of histories that once broke a rule; they are played first. */
export const FAILED_SEEDS: readonly number[] = [
  // A power cut left the newest lock without its bytes, and no start took the directory.
  18,
  // After a kill, bytes that only the page cache had were lost under a newer segment.
  130,
  // A power cut brought back a world whose removal was acknowledged.
  20_000_257,
  // A power cut brought back an emptied segment with what a start had cut off it.
  10_012_097,
  // With the clock `auto`, a client that waited while storage failed kept the event loop for itself.
  230_013_464,
];

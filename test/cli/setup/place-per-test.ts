import { afterEach, beforeEach } from "vitest";
import { Workplace } from "../../setup/cli.ts";

/**
 * Makes an empty folder before each test of a file, and ends its processes afterwards.
 * @returns the folder of the running test
 */
export const placePerTest = (): (() => Workplace) => {
  let place: Workplace;
  beforeEach(() => {
    place = new Workplace();
  });
  afterEach(() => place.close());
  return () => place;
};

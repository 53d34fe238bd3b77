import { afterEach, beforeEach } from "vitest";
import { Workplace } from "../../setup/cli.ts";
import { Workbench } from "./workbench.ts";

/**
 * Makes an empty folder before each test of a file, and ends its processes afterwards.
 * @returns the folder of the running test
 */
const perTest = (make: () => Workplace) => (): (() => Workplace) => {
  let place: Workplace;
  beforeEach(() => {
    place = make();
  });
  afterEach(() => place.close());
  return () => place;
};

export const placePerTest = perTest(() => new Workplace());

/** The same, with commands that run in this process. */
export const benchPerTest = perTest(() => new Workbench());

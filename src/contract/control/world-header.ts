/** Header that names the world of a request, on both surfaces (spec/worlds.md#choice). */
export const WORLD_HEADER = "x-sim-world";

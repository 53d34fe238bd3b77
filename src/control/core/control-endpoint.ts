import { endpointOn } from "../../http/door/endpoint.ts";
import type { World } from "./world.ts";

/** Declares an operation of the control surface; its calls are given the world they are about. */
export const endpoint = endpointOn<World>();

import type { ControlClient } from "../../client/control-client.ts";
import type { SimulatorStatus } from "../../contract/control/status.ts";
import { type Brand, brandOf } from "../../contract/core/brand-words.ts";
import { reach } from "../frame/reach.ts";

/** The brand of the world that a client reaches; files have the words as they are stored. */
export const brandReached = async (client: ControlClient): Promise<Brand | undefined> => {
  const { settings } = await reach(client.get<SimulatorStatus>("/status"));
  return settings.brand && brandOf(settings.brand.word);
};

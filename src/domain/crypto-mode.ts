import type { CryptoMode } from "../contract/crypto-modes.ts";
import type { View } from "./draft.ts";
import { platformConfig } from "./events.ts";

/** Which proofs count in this world (decisions, Headers and signatures). */
export const cryptoMode = (view: View): CryptoMode => platformConfig(view).cryptoMode ?? "both";

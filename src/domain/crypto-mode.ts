import type { CryptoMode } from "../contract/crypto-modes.ts";
import type { View } from "./draft.ts";
import { settingsInForce } from "./world-settings.ts";

/** The mode of wallet proofs in this world. */
export const cryptoMode = (view: View): CryptoMode => settingsInForce(view).cryptoMode;

import type { CryptoMode } from "../../contract/core/crypto-modes.ts";
import type { View } from "../core/draft.ts";
import { settingsInForce } from "../core/world-settings.ts";

/** The mode of wallet proofs in this world. */
export const cryptoMode = (view: View): CryptoMode => settingsInForce(view).cryptoMode;

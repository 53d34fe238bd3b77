import { randomBytes } from "node:crypto";

const SALT_BYTES = 16;

/**
 * The setting of a world for a choice of one-time codes. Random ones get a salt that no seed
 * foretells; it is part of the setting, so that all codes of the world follow from its state.
 */
export const codeSettingOf = (choice: string): string =>
  choice === "random" ? `random ${randomBytes(SALT_BYTES).toString("hex")}` : choice;

/** Begins the reason why a feed starts over after a rewind or a restore; the instant follows. */
export const WENT_BACK_TO = "the world went back to ";

const ESC = "\u001b";

/** Restores the cursor and the main screen; harmless when neither was changed. */
export const RESTORE = `${ESC}[?2026l${ESC}[0m${ESC}[?25h${ESC}[?1049l`;

import * as z from "zod";

/** Whether a text is an instant with its offset. */
export const isInstant = (text: string) => z.iso.datetime({ offset: true }).safeParse(text).success;

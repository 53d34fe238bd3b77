/** The id of the event in the bytes of a webhook. */
export const eventIn = (body: Buffer): string => {
  try {
    const { id } = JSON.parse(body.toString("utf8")) as { id?: unknown };
    return String(id);
  } catch {
    return "";
  }
};

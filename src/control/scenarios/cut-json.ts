/**
 * Makes a reader of JSON that may be cut off: what was complete before the cut is read. The parser
 * is loaded only now.
 */
export const readCutJson = async (): Promise<(text: string | undefined) => unknown> => {
  const { parse } = await import("jsonc-parser/lib/esm/main.js");
  return (text) => (text === undefined ? undefined : parse(text, [], { disallowComments: true }));
};

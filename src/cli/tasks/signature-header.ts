/** The header with a webhook's signature, under whatever brand. */
const SIGNATURE = /^x-[a-z0-9]+-signature$/i;

/** Name and value of the header with a webhook's signature. */
export const signatureIn = (
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): { name: string; value: string } | undefined => {
  for (const [name, value] of Object.entries(headers))
    if (SIGNATURE.test(name) && value !== undefined) return { name, value: String(value) };
  return undefined;
};

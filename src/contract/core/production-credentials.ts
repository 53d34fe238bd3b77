/** Beginnings of credentials that move real money (spec/errors.md#production-credentials). */
const PRODUCTION_PREFIXES = ["sk_live_", "live_", "prod_"] as const;

/** Beginnings of credentials that a simulator gives out itself. */
const OWN_BEGINNINGS = ["sk_sim_", "agt_", "token:"] as const;

const OWN_CLIENT_ID = "sandbox";

/**
 * The beginning by which a credential is known as one of production, in any case of its letters;
 * nothing for any other credential.
 * @param further beginnings beside the usual ones
 */
export const productionPrefixOf = (
  text: string,
  further: readonly string[] = [],
): string | undefined => {
  const small = text.toLowerCase();
  return [...PRODUCTION_PREFIXES, ...further].find((one) => small.startsWith(one.toLowerCase()));
};

/** Tells whether a credential looks like one of production, where no tool for tests belongs. */
export const looksLikeProduction = (text: string, further: readonly string[] = []): boolean =>
  productionPrefixOf(text, further) !== undefined;

/** Whether a beginning can be told from the credentials that a simulator gives out itself. */
const isTellingPrefix = (prefix: string): boolean => {
  const small = prefix.toLowerCase();
  return (
    prefix.length >= 3 &&
    !OWN_CLIENT_ID.startsWith(small) &&
    !OWN_BEGINNINGS.some((own) => own.startsWith(small) || small.startsWith(own))
  );
};

/** Options of a start that name credentials, or beginnings of them. */
interface CredentialOptions {
  clientId?: string;
  clientSecret?: string;
  productionPrefixes?: readonly string[];
}

/**
 * The option of credentials that a start cannot take; nothing where it takes all. A credential that looks like one
 * of production would be refused at each call, and a short prefix would refuse the simulator's own.
 */
export const productionMisfit = (
  options: CredentialOptions,
): { option: keyof CredentialOptions; wanted: string; found: string } | undefined => {
  const { productionPrefixes = [] } = options;
  const short = productionPrefixes.find((one) => !isTellingPrefix(one));
  if (short !== undefined) {
    const wanted = "3 characters or more, different from the simulator's own credentials,";
    return { option: "productionPrefixes", wanted, found: `"${short}"` };
  }
  for (const option of ["clientId", "clientSecret"] as const) {
    const prefix = productionPrefixOf(options[option] ?? "", productionPrefixes);
    const found = `a production one, which begins with ${prefix}`;
    if (prefix !== undefined) return { option, wanted: "a test credential", found };
  }
  return undefined;
};

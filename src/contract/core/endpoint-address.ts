/** Text in place of a password within an address (spec/webhooks.md#endpoint-passwords). */
export const HIDDEN_PASSWORD = "***";

declare const ADDRESS: unique symbol;

/**
 * The address of a receiver, which may hold a password. It is a string to the program and no text
 * to the compiler, so that nothing shows it by mistake: `shownAddress` and `calledAddress` read it.
 */
export interface EndpointAddress {
  readonly [ADDRESS]: true;
}

export const endpointAddress = (text: string) => text as unknown as EndpointAddress;

/** The address with its password, to call it, to keep it, and for `GET /config` alone. */
export const calledAddress = (address: EndpointAddress) => address as unknown as string;

/**
 * Passwords of addresses within a text: from two slashes, which JSON may escape, to the last `@`
 * before the host.
 */
const PASSWORDS = /(:\\?\/\\?\/[^\s"<>\\/?#:]*:)([^\s"<>/?#]+)@/g;

/** A text without the passwords of the addresses in it. */
export const withoutPasswords = (text: string) =>
  text.includes("@") ? text.replace(PASSWORDS, `$1${HIDDEN_PASSWORD}@`) : text;

/** User names and passwords of the addresses within a text, as they are written. */
export const passwordsIn = (text: string): { user: string; password: string }[] => {
  if (!text.includes("@")) return [];
  return [...text.matchAll(PASSWORDS)].map(([, start = "", password = ""]) => ({
    user: start.slice(start.lastIndexOf("/") + 1, -1),
    password,
  }));
};

const urlOf = (text: string) => (URL.canParse(text) ? new URL(text) : undefined);

const shownText = (text: string): string => {
  const url = urlOf(text);
  if (!url?.password) return text;
  const shown = withoutPasswords(text);
  // Addresses have ways to be written that no pattern knows, such as backslashes.
  if (urlOf(shown)?.password === HIDDEN_PASSWORD) return shown;
  url.password = HIDDEN_PASSWORD;
  return url.href;
};

/** The address as every list, log and message shows it. */
export const shownAddress = (address: EndpointAddress) => shownText(calledAddress(address));

/**
 * An address that was sent, with the password of the present one where it repeats what was shown:
 * the same user and host, and the text in place of a password.
 */
export const withPresentPassword = (sent: string, present: EndpointAddress | undefined) => {
  const [to, from] = [urlOf(sent), present && urlOf(calledAddress(present))];
  if (to?.password !== HIDDEN_PASSWORD || !from || !present) return sent;
  if (to.origin !== from.origin || to.username !== from.username) return sent;
  if (sent === shownAddress(present)) return calledAddress(present);
  to.password = from.password;
  return to.href;
};

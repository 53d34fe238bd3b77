const TOKEN = "service-sim token";

/** The token of this tab: given once behind `#token=`, or typed into the page. */
export const readToken = (): string | undefined => {
  const [, given] = /^#\/?token=(.+)$/.exec(location.hash) ?? [];
  if (given === undefined) return sessionStorage.getItem(TOKEN) ?? undefined;
  keepToken(decodeURIComponent(given));
  history.replaceState(history.state, "", "#/");
  return decodeURIComponent(given);
};

/** Keeps a token until the tab is closed. */
export const keepToken = (token: string) => sessionStorage.setItem(TOKEN, token);

/** The world that the address names, behind `?world=`. */
export const readWorld = (): string | undefined =>
  new URLSearchParams(location.search).get("world") ?? undefined;

/** Names a world in the address; the place in the page stays. */
export const writeWorld = (name: string | undefined) => {
  const search = name === undefined ? "" : `?world=${encodeURIComponent(name)}`;
  history.pushState(history.state, "", `${location.pathname}${search}${location.hash}`);
};

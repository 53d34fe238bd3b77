const SCHEME = "service-sim colors";

/** Values of `color-scheme`, each with its name: the system decides, or the person does. */
export const SCHEMES = [
  ["light dark", "system"],
  ["light", "light"],
  ["dark", "dark"],
] as const;

type Scheme = (typeof SCHEMES)[number][0];

/** The scheme that was chosen in this browser. */
export const chosenScheme = (): Scheme =>
  SCHEMES.find(([scheme]) => scheme === localStorage.getItem(SCHEME))?.[0] ?? "light dark";

/** Draws the page in the chosen scheme. */
export const drawScheme = () => {
  document.documentElement.style.colorScheme = chosenScheme();
};

/** Keeps a choice in this browser, and draws the page in it. */
export const chooseScheme = (scheme: Scheme) => {
  localStorage.setItem(SCHEME, scheme);
  drawScheme();
};

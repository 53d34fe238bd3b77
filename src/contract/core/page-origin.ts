/** Origins of pages in apps, as `capacitor://localhost`; those of the web are compared whole. */
const APP_ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9._:[\]-]+$/;

/** Whether a text is an origin as a browser sends it: no path, no `*`, and not `null`. */
export const isPageOrigin = (text: string): boolean => {
  if (!/^https?:/i.test(text)) return APP_ORIGIN.test(text);
  return URL.canParse(text) && new URL(text).origin === text;
};

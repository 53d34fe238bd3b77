import { SHARED_KEYS, type SharedAction } from "../rows/shared-keys.ts";

/** Actions of the keys of the page. */
export type PageAction = SharedAction | "go-to" | "home";

interface PageKey {
  keys: readonly string[];
  does: PageAction;
  says: string;
}

/** Keys of the page: those of the screen, and two of its own. */
export const PAGE_KEYS: readonly PageKey[] = [
  { keys: ["ctrl k"], does: "go-to", says: "go to anything by its name or id" },
  { keys: ["0"], does: "home", says: "home" },
  ...(Object.keys(SHARED_KEYS) as SharedAction[]).map((does) => {
    const { keys, says } = SHARED_KEYS[does];
    return { keys, does, says };
  }),
];

const BY_KEY = new Map(PAGE_KEYS.flatMap(({ keys, does }) => keys.map((key) => [key, does])));

/** Keys within lists, which each list takes itself. */
export const LIST_KEYS = [
  ["j k ↓ ↑", "next and previous row"],
  ["g G", "first and last row"],
  ["enter", "open the row"],
] as const;

interface KeyPress {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** The action of a key; nothing for one that is the browser's. */
export const pageActionOf = ({
  key,
  ctrlKey,
  metaKey,
  altKey,
}: KeyPress): PageAction | undefined => {
  if (altKey) return undefined;
  if (ctrlKey || metaKey) return key === "k" ? "go-to" : undefined;
  return BY_KEY.get(key === "Escape" ? "escape" : key);
};

const LETTERS = "service-sim letters";

/** Whether single letters act: some people speak to their computer, and letters would be words. */
export const hasLetterKeys = () => localStorage.getItem(LETTERS) !== "off";

export const setLetterKeys = (isOn: boolean) => localStorage.setItem(LETTERS, isOn ? "on" : "off");

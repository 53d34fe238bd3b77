import { readdirSync, readFileSync } from "node:fs";

const GUIDE = "src/docs/guide";

/** Pages for people who use the simulator. Tests run the code blocks of all of them. */
export const PAGES: readonly string[] = [
  "README.md",
  ...readdirSync(GUIDE)
    .filter((name) => name.endsWith(".md"))
    .sort()
    .map((name) => `${GUIDE}/${name}`),
];

/** A code block of a page. Output of programs has no language. */
export interface Block {
  page: string;
  language: string;
  text: string;
}

export const textOfPage = (page: string) => readFileSync(page, "utf8");

/** The code blocks of a page, in order. */
export const blocksOf = (page: string): Block[] =>
  [...textOfPage(page).matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language, text]) => ({
    page,
    language: `${language}`,
    text: `${text}`,
  }));

/** The text of the only block of a page that holds a text. */
export const blockWith = (page: string, text: string) => {
  const found = blocksOf(page).filter((block) => block.text.includes(text));
  if (found.length !== 1)
    throw new Error(`Expected one block with ${text} in ${page} but found ${found.length}`);
  return (found[0] as Block).text;
};

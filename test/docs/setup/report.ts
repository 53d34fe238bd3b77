// Open tasks of an editor below some folders: `npx tsx test/docs/setup/report.ts src/domain/money`.
import { CHECKS, citationsIn, foreignIn, ruleAnchors, sourcesBelow } from "./citations.ts";
import { commentsOf, complaintsAbout } from "./prose.ts";

const folders = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const pages = process.argv.slice(2).flatMap((word) => /^--page=(.+)$/.exec(word)?.slice(1) ?? []);
const files = folders.flatMap(sourcesBelow).filter((file) => !CHECKS.includes(file));
const print = (line: string) => void process.stdout.write(`${line}\n`);
process.stdout.on("error", () => process.exit());

for (const line of files.flatMap(foreignIn)) print(`FOREIGN ${line}`);
for (const passage of files.flatMap(commentsOf))
  for (const complaint of complaintsAbout(passage))
    print(`ENGLISH ${passage.file}:${passage.line} ${complaint}`);

const known = new Set(ruleAnchors());
for (const { file, line, to } of files.flatMap(citationsIn))
  if (to.startsWith("spec/") && to.includes("#") && !known.has(to))
    print(`DEAD ${file}:${line} ${to}`);

if (pages.length > 0) {
  const cited = new Set(
    [...sourcesBelow("src"), ...sourcesBelow("test")].flatMap(citationsIn).map(({ to }) => to),
  );
  for (const anchor of known)
    if (pages.some((page) => anchor.startsWith(`spec/${page}.md#`)) && !cited.has(anchor))
      print(`UNCITED ${anchor}`);
}

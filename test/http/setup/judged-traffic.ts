import { DescribedApi } from "../../../src/conform/described-api.ts";
import { Judge } from "../../../src/conform/judge.ts";
import type { Exchange } from "../../../src/conform/traffic.ts";
import type { ClientFolder } from "./generators.ts";

/** Judges the calls and webhooks that a program wrote down, by the document of its clients. */
export const judgedTraffic = (folder: ClientFolder, file: string) => {
  const judge = new Judge(new DescribedApi(JSON.parse(folder.read("platform.json"))));
  const traffic = JSON.parse(folder.read(file)) as Exchange[];
  for (const one of traffic) judge.take(one);
  const { invalid, undocumented, notJudged, judged } = judge.report();
  return { traffic, isWhole: judged === traffic.length, wrong: [invalid, undocumented, notJudged] };
};

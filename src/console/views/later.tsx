import { Coverage } from "./coverage.tsx";
import { Diff } from "./diff.tsx";
import { Faults } from "./faults.tsx";
import { Guides } from "./guides.tsx";
import { Lifecycles } from "./lifecycles.tsx";
import { Outcomes } from "./outcomes.tsx";
import { Reference } from "./reference.tsx";
import { Snapshots } from "./snapshots.tsx";
import { Worlds } from "./worlds.tsx";

/** Views that are loaded when one of them is first asked for. */
export default function Later({ name, rest }: { name: string; rest: string }) {
  if (name === "worlds") return <Worlds />;
  if (name === "snapshots") return <Snapshots />;
  if (name === "diff") return <Diff />;
  if (name === "faults") return <Faults />;
  if (name === "coverage") return <Coverage />;
  if (name === "outcomes") return <Outcomes />;
  if (name === "lifecycles") return <Lifecycles />;
  if (["guides", "spec", "decisions"].includes(name)) return <Guides view={name} name={rest} />;
  return <Reference rest={rest} />;
}

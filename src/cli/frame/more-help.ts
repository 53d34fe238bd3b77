import { hints } from "../../text/layout.ts";
import { asCalled } from "../text/called-as.ts";
import { instanceDirectory, readInstance } from "./instance-file.ts";

const USUAL_ORIGIN = "http://127.0.0.1:4747";

/** Lines at the end of the whole help, with the docs page of the simulator of this folder. */
export const moreHelp = (): string[] => {
  const running = readInstance(instanceDirectory(process.env.SERVICE_SIM_STORAGE));
  return hints(
    [asCalled("service-sim help <command>"), "options and examples"],
    [asCalled("service-sim docs"), "the guide and the specification"],
    [`${running?.url ?? USUAL_ORIGIN}/_sim/docs`, "every operation, to try out, while it runs"],
  );
};

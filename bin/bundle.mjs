// Bundles the program and the console, in one process: the notices name the packages of both.
import { build } from "rolldown";
import programs from "../rolldown.config.js";
import { packConsole } from "./pack-console.mjs";

// One after the other: the first clears the folder.
for (const program of programs) await build(program);
await packConsole();

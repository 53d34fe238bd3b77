import { engineContract } from "./engine-contract.ts";
import { openSimulated } from "./open-simulated.ts";

engineContract("the simulated engine", () => openSimulated());

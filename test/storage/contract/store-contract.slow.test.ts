import { folderStores } from "./folder-store.ts";
import { simulatedStores } from "./simulated-store.ts";
import { storeContract } from "./store-contract.ts";

storeContract("folders", folderStores);
storeContract("the simulated engine", simulatedStores);

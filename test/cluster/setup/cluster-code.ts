import { hopOf, hopServer } from "../../../src/http/hop/hop-server.ts";
import { ServedElsewhere } from "../../../src/runtime/served-elsewhere.ts";
import { requireSettings } from "../../../src/storage/postgres/settings.ts";
import { Hops } from "../../../src/worlds/hops.ts";

/** The code that keeps processes apart, which may have a planted bug. */
export interface ClusterCode {
  Hops: typeof Hops;
  hopServer: typeof hopServer;
  hopOf: typeof hopOf;
  ServedElsewhere: typeof ServedElsewhere;
  requireSettings: typeof requireSettings;
}

/** The code as it is. */
export const WHOLE_CODE: ClusterCode = { Hops, hopServer, hopOf, ServedElsewhere, requireSettings };

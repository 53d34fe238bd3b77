import * as z from "zod";
import { idOf } from "../core/identifiers.ts";
import { named } from "../core/named-shape.ts";

/** Body of PATCH /internal-accounts/{id} (spec/wallets.md#privacy). */
export const PrivacyInput = named("WalletPrivacyInput", () =>
  z.object({ privateEnabled: z.boolean() }),
);

/** Reply of POST /internal-accounts/{id}/export (spec/wallets.md#export-envelope). */
export const WalletExport = z.lazy(() =>
  z
    .object({ id: idOf("InternalAccount"), encryptedWalletCredentials: z.string() })
    .meta({ id: "WalletExport" }),
);

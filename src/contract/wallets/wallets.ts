import * as z from "zod";
import { idOf } from "../core/identifiers.ts";

/** Body of PATCH /internal-accounts/{id} (wallets digest 7.1). */
export const PrivacyInput = z.lazy(() => z.object({ privateEnabled: z.boolean() }));

/** Reply of POST /internal-accounts/{id}/export (wallets digest 7.2). */
export const WalletExport = z.lazy(() =>
  z
    .object({ id: idOf("InternalAccount"), encryptedWalletCredentials: z.string() })
    .meta({ id: "WalletExport" }),
);

import * as z from "zod";
import { idOf } from "../core/identifiers.ts";

/** Body of PATCH /internal-accounts/{id} (spec/wallets.md#privacy). */
export const PrivacyInput = z.lazy(() => z.object({ privateEnabled: z.boolean() }));

/** Reply of POST /internal-accounts/{id}/export (spec/wallets.md#export-envelope). */
export const WalletExport = z.lazy(() =>
  z
    .object({ id: idOf("InternalAccount"), encryptedWalletCredentials: z.string() })
    .meta({ id: "WalletExport" }),
);

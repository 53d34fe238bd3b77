import type { CryptoMode } from "../../contract/core/crypto-modes.ts";
import type { EndpointAddress } from "../../contract/core/endpoint-address.ts";
import type { Revision } from "../../contract/core/revision-names.ts";
import type {
  CARD_EVENTS,
  END_USER_TERMS_MODES,
  SignatureForm,
  WALLET_CREDENTIALS,
} from "../../contract/core/world-settings.ts";
import type { ApprovalMode } from "./agent-records.ts";
import type { BrandSetting } from "./platform-records.ts";

/** Settings that a start decides; no operation of the platform shows them. */
export interface WorldSettings {
  /** Domains of the sandbox people. */
  sandboxUmaDomains?: readonly string[];
  /** Mode of wallet proofs. */
  cryptoMode?: CryptoMode;
  /** The credential of a new wallet. */
  walletCredential?: (typeof WALLET_CREDENTIALS)[number];
  /** Trusted token issuers besides the built-in ones. */
  oidcIssuers?: readonly string[];
  /** Revision of the service that is served. */
  revision?: Revision;
  /** Spelling of the two card events. */
  cardEvents?: (typeof CARD_EVENTS)[number];
  /** Tells whether customers need a recorded consent; only later revisions ask for it. */
  endUserTerms?: (typeof END_USER_TERMS_MODES)[number];
  /** Mode of deciding about the actions of agents. */
  approvals?: ApprovalMode;
  /** One-time codes: `fixed`, `random` and its salt, or the code itself. */
  codes?: string;
  /** Form of the signature in the header of a webhook. */
  webhookSignature?: SignatureForm;
  /** Calls of each token: `10/s`, or `none`. */
  rateLimit?: string;
}

/** The settings and values of all starts of a world; a reset begins with them again. */
export interface InitialSettings {
  webhookEndpoint?: EndpointAddress;
  /** Certificates as PEM that receivers are trusted by. */
  webhookCa?: string;
  brand?: BrandSetting;
  settings: WorldSettings;
}

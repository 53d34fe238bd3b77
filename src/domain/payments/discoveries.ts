import type { RevisionChange } from "../../contract/core/revisions.ts";
import type { Discovery } from "../../contract/payments/discoveries.ts";
import type { Reading } from "../core/draft.ts";
import { REGION_CURRENCIES } from "../core/regions.ts";
import { byRevision, rowsIn } from "../core/revision.ts";

type Banks = Readonly<Record<string, readonly { bankName: string; displayName: string }[]>>;

/**
 * Invented banks by country: the code for an account, and the name for people
 * (spec/discoveries.md#banks).
 */
const DISCOVERABLE_BANKS = {
  CO: [
    { bankName: "BANCO_DEL_PARAMO", displayName: "Banco del Páramo" },
    { bankName: "CORDILLERA", displayName: "Caja Cordillera" },
  ],
  EG: [
    { bankName: "NILE_DELTA_BANK", displayName: "Nile Delta Bank" },
    { bankName: "LOTUS_BANK", displayName: "Lotus Bank" },
  ],
  HK: [
    { bankName: "HARBOUR_LIGHT_BANK", displayName: "Harbour Light Bank" },
    { bankName: "PEAK_DIGITAL", displayName: "Peak Digital" },
  ],
  ID: [
    { bankName: "BANK_MERANTI", displayName: "Bank Meranti" },
    { bankName: "BANK_TELUK_BIRU", displayName: "Bank Teluk Biru" },
    { bankName: "DOMPET_RIMBA", displayName: "Dompet Rimba" },
  ],
  MY: [
    { bankName: "BANK_KENYALANG", displayName: "Bank Kenyalang" },
    { bankName: "BANK_SELAT", displayName: "Bank Selat" },
  ],
  NG: [
    { bankName: "LAGOON_BANK", displayName: "Lagoon Bank" },
    { bankName: "HARMATTAN_TRUST", displayName: "Harmattan Trust" },
    { bankName: "IROKO_MICROFINANCE", displayName: "Iroko Microfinance" },
  ],
  PH: [
    { bankName: "ISLA_SAVINGS", displayName: "Isla Savings Bank" },
    { bankName: "NARRA_BANK", displayName: "Narra Bank" },
    { bankName: "BANGKA_PAY", displayName: "Bangka Pay" },
  ],
  PK: [
    { bankName: "RAVI_BANK", displayName: "Ravi Bank" },
    { bankName: "DEODAR_BANK", displayName: "Deodar Bank" },
  ],
  SG: [
    { bankName: "STRAITS_LANTERN_BANK", displayName: "Straits Lantern Bank" },
    { bankName: "ANGSANA_BANK", displayName: "Angsana Bank" },
  ],
  SV: [
    { bankName: "BANCO_IZALCO_SIMULADO", displayName: "Banco Izalco Simulado" },
    { bankName: "CAJA_LEMPA", displayName: "Caja Lempa" },
  ],
  TH: [
    { bankName: "CHAO_RIVER_BANK", displayName: "Chao River Bank" },
    { bankName: "LEELAWADEE_BANK", displayName: "Leelawadee Bank" },
  ],
  VN: [
    { bankName: "NGAN_HANG_SEN_VANG", displayName: "Ngân hàng Sen Vàng" },
    { bankName: "NGAN_HANG_SONG_HAN", displayName: "Ngân hàng Sông Hàn" },
  ],
  ZA: [
    { bankName: "FYNBOS_BANK", displayName: "Fynbos Bank" },
    { bankName: "KAROO_BANK", displayName: "Karoo Bank" },
  ],
} as const satisfies Banks;

/** Banks and mobile wallets that a later revision brought, by country. */
const LATER_BANKS = {
  CN: [
    { bankName: "YANTAI_LANTERN_BANK", displayName: "Yantai Lantern Bank" },
    { bankName: "AliPay", displayName: "AliPay" },
    { bankName: "WeChat Pay", displayName: "WeChat Pay" },
  ],
  EG: [{ bankName: "FELUCCA_CASH", displayName: "Felucca Cash" }],
  IN: [
    { bankName: "MONSOON_BANK", displayName: "Monsoon Bank" },
    { bankName: "BANYAN_COOPERATIVE", displayName: "Banyan Cooperative Bank" },
  ],
} as const satisfies Banks;

const listed = (banks: Banks): Discovery[] =>
  Object.entries(banks).flatMap(([country, ofCountry]) =>
    ofCountry.map((bank) => ({ ...bank, country, currency: REGION_CURRENCIES[country] ?? "" })),
  );

const ROWS: readonly { since?: RevisionChange; banks: Banks }[] = [
  { banks: DISCOVERABLE_BANKS },
  { since: "accountForms", banks: LATER_BANKS },
];

const byCountry = (one: Discovery, other: Discovery) => {
  if (one.country === other.country) return 0;
  return one.country < other.country ? -1 : 1;
};

const discoveriesOf = byRevision((revision) =>
  rowsIn(revision, ROWS)
    .flatMap(({ banks }) => listed(banks))
    .sort(byCountry),
);

interface DiscoveryFilters {
  country?: string | undefined;
  currency?: string | undefined;
}

/** GET /discoveries: all banks, or those that fit both filters (spec/discoveries.md#filters). */
export const listDiscoveries: Reading<{ query: DiscoveryFilters }, { data: Discovery[] }> = (
  view,
  { query: { country, currency } },
) => ({
  data: discoveriesOf(view).filter(
    (bank) =>
      bank.country === (country ?? bank.country) && bank.currency === (currency ?? bank.currency),
  ),
});

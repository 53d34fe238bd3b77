import type { RuleTable } from "../../domain/outcomes/rule-names.ts";
import { business, CUSTOMER, MOLINO, owner } from "./parts.ts";
import { call, type Steps, type TableExercises } from "./steps.ts";

const ADDRESS = { line1: "Calle 60 41", postalCode: "97000", country: "MX" };

const NAME = "Ada Byron";

/** A name with the ending of a row. */
const named = (row: string) => (row === "otherwise" ? NAME : `${NAME} ${row}`);

/** A person who has everything but a document, and is not decided by the first status. */
const UNDECIDED = call("customer = POST /customers", {
  customerType: "INDIVIDUAL",
  fullName: named("003"),
  birthDate: "1990-02-03",
  nationality: "US",
  idType: "SSN",
  identifier: "123-45-6789",
  address: ADDRESS,
});

const PDF = { name: "scan.pdf", text: "%PDF-" };

const PASSPORT = call(
  "POST /documents",
  {
    documentHolder: "${customer.id}",
    documentType: "PASSPORT",
    country: "MX",
    documentNumber: "G12345678",
    issuingAuthority: "SRE",
  },
  { file: PDF },
);

const VERIFY_PERSON = call("POST /verifications", { customerId: "${customer.id}" });
const VERIFY_BUSINESS = call("POST /verifications", { customerId: "${business.id}" });

/** One document for each thing that a business has to show. */
const BUSINESS_DOCUMENTS = [
  "CERTIFICATE_OF_INCORPORATION",
  "DIRECTOR_REGISTRY",
  "SHAREHOLDER_REGISTER",
  "UTILITY_BILL",
].map((documentType) =>
  call(
    "POST /documents",
    { documentHolder: "${business.id}", documentType, country: "MX" },
    { file: PDF },
  ),
);

/** Verifies a business that lacks nothing. */
export const completeBusiness = (row: string): Steps => [
  call("business = POST /customers", {
    customerType: "BUSINESS",
    address: ADDRESS,
    businessInfo: { ...MOLINO, registrationNumber: `88-${row}` },
  }),
  owner(),
  ...BUSINESS_DOCUMENTS,
  VERIFY_BUSINESS,
];

/** Tables that later revisions read (spec/later-customers.md#tables-of-the-sandbox). */
export const LATER_OUTCOMES = {
  newPerson: {
    any: (row) => [
      call("customer = POST /customers", { customerType: "INDIVIDUAL", fullName: named(row) }),
    ],
    rows: { otherwise: [CUSTOMER] },
  },
  personVerification: {
    any: (row) => [
      UNDECIDED,
      PASSPORT,
      call("PATCH /customers/${customer.id}", {
        customerType: "INDIVIDUAL",
        fullName: named(row),
      }),
      VERIFY_PERSON,
    ],
    rows: { incomplete: [UNDECIDED, VERIFY_PERSON] },
  },
  businessVerification: {
    any: completeBusiness,
    rows: {
      incomplete: [business("88-001"), VERIFY_BUSINESS],
      otherwise: [business("88-999"), VERIFY_BUSINESS],
    },
  },
} satisfies Partial<Record<RuleTable, TableExercises>>;

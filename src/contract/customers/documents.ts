import * as z from "zod";
import { AnyId, idOf } from "../core/identifiers.ts";
import { enumOf, named } from "../core/named-shape.ts";
import { CountryCode, Instant, PersonalText } from "../core/scalars.ts";
import { FilePart } from "./uploads.ts";

/** Largest file of a document (spec/documents.md#file-size). */
export const MAX_DOCUMENT_BYTES = 10 * 1024 * 1024;

/** Types of documents (spec/documents.md#document-types). */
export const DOCUMENT_TYPES = [
  "PASSPORT",
  "DRIVERS_LICENSE",
  "NATIONAL_ID",
  "PROOF_OF_ADDRESS",
  "BANK_STATEMENT",
  "TAX_RETURN",
  "CERTIFICATE_OF_INCORPORATION",
  "ARTICLES_OF_INCORPORATION",
  "ARTICLES_OF_ASSOCIATION",
  "STATE_REGISTRY_EXCERPT",
  "GOOD_STANDING_CERTIFICATE",
  "INFORMATION_STATEMENT",
  "INCUMBENCY_CERTIFICATE",
  "BUSINESS_LICENSE",
  "SHAREHOLDER_REGISTER",
  "POWER_OF_ATTORNEY",
  "UTILITY_BILL",
  "ELECTRICITY_BILL",
  "RENT_OR_LEASE_AGREEMENT",
  "DIRECTOR_REGISTRY",
  "TRUST_AGREEMENT",
  "STATE_COMPANY_REGISTRY",
  "PARTNERSHIP_CONTROL_AGREEMENT",
  "PARTNERSHIP_AGREEMENT",
  "SELFIE",
  "OTHER",
] as const;

export type DocumentType = (typeof DOCUMENT_TYPES)[number];

export const DOCUMENT_SIDES = ["FRONT", "BACK"] as const;

export type DocumentSide = (typeof DOCUMENT_SIDES)[number];

const members = () => ({
  documentType: enumOf("DocumentType", DOCUMENT_TYPES),
  country: CountryCode,
  side: enumOf("DocumentSide", DOCUMENT_SIDES).optional(),
  documentNumber: PersonalText.optional(),
  issuingAuthority: PersonalText.optional(),
});

/** Form of PUT /documents/{documentId}, without the holder (spec/documents.md#replacement). */
export const DocumentReplacement = named("DocumentReplacement", () =>
  z.object({ file: FilePart, ...members() }),
);

/** Form of POST /documents (spec/documents.md#form). */
export const DocumentInput = named("DocumentInput", () =>
  z.object({ file: FilePart, documentHolder: AnyId, ...members() }),
);

export type DocumentInput = z.infer<typeof DocumentInput>;
export type DocumentReplacement = z.infer<typeof DocumentReplacement>;

/** Filter of GET /documents. */
export const DocumentsQuery = { documentHolder: z.string().optional() };

/** Document of a reply, without its file (spec/documents.md#fields). */
export const Document = z.lazy(() =>
  z
    .object({
      id: idOf("Document"),
      documentHolder: z.string(),
      ...members(),
      fileName: z.string(),
      createdAt: Instant,
      updatedAt: Instant,
    })
    .meta({ id: "Document" }),
);

export type Document = z.infer<typeof Document>;

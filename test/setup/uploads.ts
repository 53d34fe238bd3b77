import type { Answer, TestSimulator } from "./test-simulator.ts";

const latin1 = (text: string) => Uint8Array.from(Buffer.from(text, "latin1"));

/** The shortest files that count as one of the accepted types. */
export const PDF = latin1("%PDF-");
export const JPEG = latin1("\xff\xd8\xff");
export const PNG = latin1("\x89PNG\r\n\x1a\n");

/** A PDF of the given size in bytes. */
export const pdfOf = (sizeBytes: number) => {
  const bytes = new Uint8Array(sizeBytes);
  bytes.set(PDF);
  return bytes;
};

/** A file of a form. */
export interface FormFile {
  fileName?: string;
  bytes?: Uint8Array<ArrayBuffer>;
}

export const PASSPORT = { documentType: "PASSPORT", country: "MX" };

/** A form with text fields and one file. */
export const formOf = (fields: Record<string, string>, file: FormFile = {}): FormData => {
  const { fileName = "passport.pdf", bytes = PDF } = file;
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append("file", new Blob([bytes]), fileName);
  return form;
};

/** Uploads a document of a holder. */
export const postDocument = (
  { raw }: TestSimulator,
  documentHolder: string,
  { fields = {}, ...file }: FormFile & { fields?: Record<string, string> } = {},
): Promise<Answer> =>
  raw("POST", "/documents", {
    body: formOf({ documentHolder, ...PASSPORT, ...fields }, file),
  });

export const putDocument = (
  { raw }: TestSimulator,
  id: string,
  { fields = {}, ...file }: FormFile & { fields?: Record<string, string> } = {},
): Promise<Answer> =>
  raw("PUT", `/documents/${id}`, { body: formOf({ ...PASSPORT, ...fields }, file) });

/** The columns of a bulk file that tests write, in their order. */
export const COLUMNS = [
  "umaAddress",
  "platformCustomerId",
  "customerType",
  "fullName",
  "birthDate",
  "businessLegalName",
  "addressLine1",
  "city",
  "state",
  "postalCode",
  "country",
] as const;

type Cells = Partial<Record<string, string>>;

const ADDRESS = {
  addressLine1: "Av. Norte 12",
  city: "Puebla",
  state: "PUE",
  postalCode: "72000",
  country: "MX",
};

/** A valid row; `n` makes it another customer's. */
export const person = (n: number | string, more: Cells = {}): Cells => ({
  umaAddress: `$person${n}@pay.example`,
  platformCustomerId: `shop-${n}`,
  customerType: "INDIVIDUAL",
  fullName: `Lena Ortiz ${n}`,
  birthDate: "1991-11-02",
  ...ADDRESS,
  ...more,
});

export const firm = (n: number | string, more: Cells = {}): Cells => ({
  umaAddress: `$firm${n}@pay.example`,
  platformCustomerId: `firm-${n}`,
  customerType: "BUSINESS",
  businessLegalName: `Ortiz ${n} S.A.`,
  ...ADDRESS,
  ...more,
});

/** A file of rows without quoted cells. */
export const csvOf = (rows: readonly Cells[], columns: readonly string[] = COLUMNS) =>
  [columns, ...rows.map((row) => columns.map((name) => row[name] ?? ""))]
    .map((cells) => `${cells.join(",")}\n`)
    .join("");

/** Uploads a bulk file. */
export const postCsv = ({ raw }: TestSimulator, csv: string | Uint8Array<ArrayBuffer>) => {
  const form = new FormData();
  form.append("file", new Blob([csv]), "customers.csv");
  return raw("POST", "/customers/bulk/csv", { body: form });
};

/** Uploads a bulk file and returns its result. */
export const importCsv = async (world: TestSimulator, csv: string | Uint8Array<ArrayBuffer>) => {
  const { status, body } = await postCsv(world, csv);
  if (status !== 202) throw new Error(`Expected a job but found ${JSON.stringify(body)}`);
  return (await world.call("GET", `/customers/bulk/jobs/${body.jobId}`)).body;
};

import { singlyMade } from "./call.ts";
import { type MakeCall, mxn, platform, present } from "./platform-calls.ts";
import { oneOf, oneThat, type WorldModel } from "./world-model.ts";

const PERSON = {
  firstName: "Noor",
  lastName: "Haddad",
  birthDate: "1984-02-20",
  nationality: "AE",
  address: { line1: "Marina Walk 4", postalCode: "00000", country: "AE" },
  idType: "NON_US_TAX_ID",
  identifier: "AE-55-901",
};

const newOf = (known: Record<string, unknown>, ids: readonly string[]) =>
  ids.find((id) => !(id in known));

const createBusiness: MakeCall = ({ world }) => {
  const take = (known: WorldModel, id: string) => {
    known.customers[id] = { id, isDeleted: false };
    known.businesses[id] = { customerId: id };
  };
  return platform(world, {
    operation: "createCustomer",
    method: "POST",
    path: "/customers",
    body: {
      customerType: "BUSINESS",
      businessInfo: {
        legalName: "Molino SA",
        taxId: "12-3456789",
        incorporatedOn: "2011-04-30",
        registrationNumber: "88-001",
      },
    },
    isAlone: true,
    expects: [201],
    done: (known, { id }) => take(known, id),
    learn: (known, found) => {
      const id = newOf(known.customers, singlyMade(found));
      if (id !== undefined) take(known, id);
    },
  });
};

const isPresent = ({ customers }: WorldModel, id: string) => customers[id]?.isDeleted === false;

const createOwner: MakeCall = ({ world, model, chance }) => {
  const customerId = oneOf(model.businesses, chance);
  if (customerId === undefined) return undefined;
  return platform(world, {
    operation: "createBeneficialOwner",
    method: "POST",
    path: "/beneficial-owners",
    body: { customerId, roles: ["UBO"], ownershipPercentage: 60, personalInfo: PERSON },
    isAlone: true,
    expects: isPresent(model, customerId) ? [201] : [404],
    done: (known, { id }) => {
      known.owners[id] = { customerId };
    },
    learn: (known, found) => {
      const id = newOf(known.owners, found.ids("BeneficialOwner"));
      if (id !== undefined) known.owners[id] = { customerId };
    },
  });
};

const ofOwner: MakeCall = ({ world, model, chance }) => {
  const id = oneOf(model.owners, chance);
  if (id === undefined) return undefined;
  const [operation, method, body] = chance.pick([
    ["getBeneficialOwner", "GET", undefined],
    ["patchBeneficialOwner", "PATCH", { ownershipPercentage: 40 }],
  ] as const);
  const path = `/beneficial-owners/${id}`;
  return platform(world, { operation, method, path, ...(body && { body }), expects: [200] });
};

const verifyBusiness: MakeCall = ({ world, model, chance }) => {
  const customerId = oneOf(model.businesses, chance) ?? oneThat(model.customers, chance, present);
  if (customerId === undefined) return undefined;
  return platform(world, {
    operation: "createVerification",
    method: "POST",
    path: "/verifications",
    body: { customerId },
    isAlone: true,
    expects: isPresent(model, customerId) ? [200, 201, 400, 409] : [404],
    done: (known, { id }) => {
      if (id !== undefined) known.verifications[id] = { customerId };
    },
  });
};

const getVerification: MakeCall = ({ world, model, chance }) => {
  const id = oneOf(model.verifications, chance);
  if (id === undefined) return undefined;
  const path = `/verifications/${id}`;
  return platform(world, { operation: "getVerification", method: "GET", path, expects: [200] });
};

const FILE = { fileName: "passport.pdf", file: "%PDF-" };
const PASSPORT = { documentType: "PASSPORT", country: "MX" };

const createDocument: MakeCall = ({ world, model, chance }) => {
  const owner = chance.oneIn(2) ? oneOf(model.owners, chance) : undefined;
  const holder = owner ?? oneOf(model.customers, chance);
  if (holder === undefined) return undefined;
  return platform(world, {
    operation: "createDocument",
    method: "POST",
    path: "/documents",
    form: { fields: { documentHolder: holder, ...PASSPORT }, ...FILE },
    isAlone: true,
    expects: owner !== undefined || isPresent(model, holder) ? [201] : [404],
    done: (known, { id }) => {
      known.documents[id] = { ownerId: holder, isDeleted: false };
    },
    learn: (known, found) => {
      const id = newOf(known.documents, found.ids("Document"));
      if (id !== undefined) known.documents[id] = { ownerId: holder, isDeleted: false };
    },
  });
};

const ofDocument: MakeCall = ({ world, model, chance }) => {
  const id = oneOf(model.documents, chance);
  const document = id === undefined ? undefined : model.documents[id];
  if (id === undefined || !document) return undefined;
  const [operation, method, done] = chance.pick([
    ["getDocument", "GET", 200],
    ["replaceDocument", "PUT", 200],
    ["deleteDocument", "DELETE", 204],
  ] as const);
  const remove = (known: WorldModel) => {
    const removed = known.documents[id];
    if (removed) removed.isDeleted = true;
  };
  return platform(world, {
    operation,
    method,
    path: `/documents/${id}`,
    ...(operation === "replaceDocument" && { form: { fields: PASSPORT, ...FILE } }),
    isAlone: true,
    // One that was submitted for verification stays.
    expects: document.isDeleted ? [404] : operation === "deleteDocument" ? [done, 409] : [done],
    ...(operation === "deleteDocument" && {
      done: remove,
      learn: (known, found) => {
        if (found.get("Document", id) === undefined) remove(known);
      },
    }),
  });
};

const COLUMNS =
  "umaAddress,platformCustomerId,customerType,fullName,birthDate,addressLine1,city,state,postalCode,country";

const row = (name: string, fullName: string) =>
  `$${name}@pay.example,bulk-${name},INDIVIDUAL,${fullName},1991-11-02,Av. 12,P,P,72000,MX`;

/** Rows of one part of an import are 25. */
const SIZES = [0, 1, 3, 27];

const upload: MakeCall = ({ world, chance, nextKey }) => {
  const name = nextKey();
  const rows = chance.pick(SIZES);
  const bad = chance.below(3);
  const lines = [
    COLUMNS,
    ...Array.from({ length: rows }, (_, at) => row(`${name}-${at}`, "Lena Ortiz")),
    ...Array.from({ length: bad }, (_, at) => row(`${name}-bad-${at}`, "")),
  ];
  return platform(world, {
    operation: "uploadCustomersCsv",
    method: "POST",
    path: "/customers/bulk/csv",
    form: { fields: {}, fileName: "customers.csv", file: `${lines.join("\n")}\n` },
    isAlone: true,
    expects: [202],
    done: (known, { jobId }) => {
      known.jobs[jobId] = { rows };
    },
    learn: (known, found) => {
      const id = newOf(known.jobs, found.ids("Job"));
      if (id !== undefined) known.jobs[id] = { rows };
    },
  });
};

const getJob: MakeCall = ({ world, model, chance }) => {
  const id = oneThat(model.jobs, chance, ({ isSeed }) => isSeed !== true);
  if (id === undefined) return undefined;
  const rows = model.jobs[id]?.rows;
  return platform(world, {
    operation: "getBulkJob",
    method: "GET",
    path: `/customers/bulk/jobs/${id}`,
    expects: [200],
    requires: ({ status, progress: { total, processed, successful } }) =>
      ["COMPLETED", "FAILED"].includes(status) && total === processed && successful === rows
        ? undefined
        : `the import ${id} of ${rows} rows is ${status} after ${successful} of ${total}`,
  });
};

const createPlatformBank: MakeCall = ({ world, chance }) => {
  const suffix = `${300 + chance.below(600)}`;
  return platform(world, {
    operation: "createPlatformExternalAccount",
    method: "POST",
    path: "/platform/external-accounts",
    body: mxn(suffix),
    isAlone: true,
    expects: [201, 409],
    done: (known, { id }) => {
      known.platformBanks[id] = { isDeleted: false };
    },
    learn: (known, found) => {
      const ids = found.ids("ExternalAccount");
      const own = ids.filter((id) => found.get("ExternalAccount", id).customerId === undefined);
      const id = newOf(known.platformBanks, own);
      if (id !== undefined) known.platformBanks[id] = { isDeleted: false };
    },
  });
};

const ofPlatformBank: MakeCall = ({ world, model, chance }) => {
  const id = oneOf(model.platformBanks, chance);
  if (id === undefined) return undefined;
  const isGone = model.platformBanks[id]?.isDeleted;
  const isRead = chance.oneIn(2);
  const remove = (known: WorldModel) => {
    const bank = known.platformBanks[id];
    if (bank) bank.isDeleted = true;
  };
  return platform(world, {
    operation: isRead ? "getPlatformExternalAccount" : "deletePlatformExternalAccount",
    method: isRead ? "GET" : "DELETE",
    path: `/platform/external-accounts/${id}`,
    isAlone: true,
    expects: isGone ? [404] : [isRead ? 200 : 204],
    ...(!isRead && {
      done: remove,
      learn: (known, found) => {
        if (found.get("ExternalAccount", id) === undefined) remove(known);
      },
    }),
  });
};

/** Calls that make a business with an owner. */
export const FIRST_PAPER_CALLS: readonly MakeCall[] = [createBusiness, createOwner];

/** Calls of an onboarding clerk: businesses, owners, documents, imports. */
export const PAPER_CALLS: readonly (readonly [weight: number, make: MakeCall])[] = [
  [3, createBusiness],
  [4, createOwner],
  [4, ofOwner],
  [3, verifyBusiness],
  [3, getVerification],
  [5, createDocument],
  [9, ofDocument],
  [3, upload],
  [4, getJob],
  [3, createPlatformBank],
  [5, ofPlatformBank],
];

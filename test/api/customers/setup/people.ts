import type { TestSimulator } from "../../../setup/test-simulator.ts";

export const NOBODY = "Customer:00000000-0000-7000-8000-000000000000";

export const MOLINO = {
  legalName: "Molino SA",
  taxId: "12-3456789",
  incorporatedOn: "2011-04-30",
};

/** A person with every documented member. */
export const NOOR = {
  firstName: "Noor",
  middleName: "Amal",
  lastName: "Haddad",
  birthDate: "1984-02-20",
  nationality: "AE",
  address: {
    line1: "Marina Walk 4",
    line2: "Tower 2",
    city: "Dubai",
    state: "DU",
    postalCode: "00000",
    country: "AE",
  },
  idType: "NON_US_TAX_ID",
  identifier: "AE-55-901",
  countryOfIssuance: "AE",
  email: "noor@shop.example",
  phoneNumber: "+971501234567",
};

export const OWNER = { roles: ["UBO", "DIRECTOR"], ownershipPercentage: 60, personalInfo: NOOR };

/** Creates an INDIVIDUAL, or a BUSINESS with further members. */
export const createCustomer = async (
  { call }: TestSimulator,
  members: object = { customerType: "INDIVIDUAL" },
): Promise<string> => {
  const { status, body } = await call("POST", "/customers", members);
  if (status !== 201) throw new Error(`Expected a customer but found ${JSON.stringify(body)}`);
  return body.id;
};

/** Creates a business; its registrationNumber decides the outcome of its verification. */
export const createBusiness = (world: TestSimulator, registrationNumber?: string) =>
  createCustomer(world, {
    customerType: "BUSINESS",
    businessInfo: { ...MOLINO, ...(registrationNumber !== undefined && { registrationNumber }) },
  });

/** Names an owner with some members changed, or left out if undefined. */
export const nameOwner = (world: TestSimulator, customerId: string, members: object = {}) =>
  world.call("POST", "/beneficial-owners", { customerId, ...OWNER, ...members });

export const createOwner = async (world: TestSimulator, customerId: string, members?: object) => {
  const { status, body } = await nameOwner(world, customerId, members);
  if (status !== 201) throw new Error(`Expected an owner but found ${JSON.stringify(body)}`);
  return body;
};

/** Submits a customer for verification. */
export const verify = ({ call }: TestSimulator, customerId: string) =>
  call("POST", "/verifications", { customerId });

/** Gives a business another registrationNumber, as one does before verifying it again. */
export const register = ({ call }: TestSimulator, customerId: string, registrationNumber: string) =>
  call("PATCH", `/customers/${customerId}`, {
    customerType: "BUSINESS",
    businessInfo: { registrationNumber },
  });

export const setStatus = async (
  { control }: TestSimulator,
  customerId: string,
  status: { kycStatus: string } | { kybStatus: string },
) => {
  const { body } = await control("PATCH", `/customers/${customerId}`, status);
  if (body.id !== customerId) throw new Error(`Expected a customer but found ${body}`);
};

/** The customer as it reads now. */
export const customerOf = async ({ call }: TestSimulator, customerId: string) =>
  (await call("GET", `/customers/${customerId}`)).body;

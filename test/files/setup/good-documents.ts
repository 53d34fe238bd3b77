export const HAR = {
  log: {
    version: "1.2",
    entries: [
      {
        request: {
          method: "POST",
          url: "http://127.0.0.1:4747/2025-10-13/customers",
          postData: { mimeType: "application/json", text: '{"customerType":"INDIVIDUAL"}' },
        },
        response: { status: 201, content: { mimeType: "application/json", text: '{"id":"x"}' } },
      },
    ],
  },
};

/** A document of one operation, with a shape that names itself. */
export const OPENAPI = {
  openapi: "3.1.0",
  info: { title: "Payments", version: "1" },
  servers: [{ url: "http://127.0.0.1:4747/2025-10-13" }],
  paths: {
    "/customers": {
      post: {
        operationId: "createCustomer",
        requestBody: {
          content: { "application/json": { schema: { $ref: "#/components/schemas/Input" } } },
        },
        responses: {
          201: {
            description: "made",
            content: { "application/json": { schema: { $ref: "#/components/schemas/Customer" } } },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Input: {
        type: "object",
        required: ["customerType"],
        properties: { customerType: { enum: ["INDIVIDUAL", "BUSINESS"] } },
      },
      Customer: {
        type: "object",
        required: ["id"],
        properties: {
          id: { type: "string", pattern: "^[a-z]+$" },
          partner: { $ref: "#/components/schemas/Customer" },
        },
      },
    },
  },
};

export const BRAND = {
  word: "acme",
  umaDomains: ["people.acme.test"],
  walletCredential: "email",
  cardEvents: "upper",
  paths: { "/acme/2025-10-13": "2025-10-13" },
  env: [{ ACME_CLIENT_ID: "clientId" }],
};

export const CONFIG = { port: 0, clock: "manual", seed: "7", webhookSignature: "json" };

import { trustedPem } from "../../crypto/certificates.ts";
import { fileFault } from "../../machine/file-fault.ts";
import { readUserText } from "../../machine/user-text.ts";
import { usageError } from "./command.ts";

/** The certificates of a PEM file that was named on the command line. */
export const certificatesFrom = (file: string): string => {
  let text: string;
  try {
    text = readUserText(file);
  } catch (error) {
    throw usageError(
      `cannot read the PEM file ${file}: ${fileFault(error)}`,
      "give the path of a PEM file with the certificate of the receiver, or of its authority",
    );
  }
  const pem = trustedPem(text);
  if (pem) return pem;
  const found = /PRIVATE KEY-----/.test(text) ? "a private key" : "no readable certificate";
  throw usageError(
    `Expected ${file} to have certificates as PEM but found ${found}`,
    "openssl x509 -inform der -in receiver.cer -out receiver.pem    makes PEM of other forms",
  );
};

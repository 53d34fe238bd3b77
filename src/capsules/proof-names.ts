const plainName = (name: string) => name.replace(/[^A-Za-z0-9]/g, "").toLowerCase();

/** One-time codes: too short to be looked for anywhere else than at their member. */
const CODE = /otp$/;

/** Members of proofs that are made for one request or one instant. */
const PROOF =
  /signature$|^encrypted|^stamp$|(oidc|id)token$|^(clientdatajson|attestationobject|authenticatordata|userhandle)$/;

export const isCodeName = (name: string) => CODE.test(plainName(name));

/** Whether a member of that name is a proof, whose check a capsule has the facts of. */
export const isProofName = (name: string) => isCodeName(name) || PROOF.test(plainName(name));

import type { TestSimulator } from "../../setup/test-simulator.ts";
import { createToken } from "../../setup/tokens.ts";
import type { KnownIds } from "./populated.ts";

/** A token with VIEW, a pending invitation, and an account that holds crypto. */
export const populatePlatform = async (world: TestSimulator): Promise<KnownIds> => {
  const { id } = await createToken(world, ["VIEW"]);
  const inviterUma = "$lena@pay.example";
  const { body: invitation } = await world.call("POST", "/invitations", { inviterUma });
  const { body: accounts } = await world.call("GET", "/platform/internal-accounts?currency=USDC");
  return {
    tokenId: id,
    invitationCode: invitation.code,
    cryptoAccountId: accounts.data[0].id,
  };
};

/** Bodies that these operations accept, with every documented member. */
export const PLATFORM_BODIES: Record<string, (ids: KnownIds) => object> = {
  createToken: () => ({ name: "ci reader", permissions: ["VIEW"] }),
  createInvitation: () => ({
    inviterUma: "$lena@pay.example",
    firstName: "Noor",
    amountToSend: 2_500,
    expiresAt: "2026-03-11T00:00:00Z",
  }),
  claimInvitation: () => ({ inviteeUma: "$noor@bank.example" }),
  estimateWithdrawalFee: ({ cryptoAccountId }) => ({
    internalAccountId: cryptoAccountId,
    currency: "USDC",
    cryptoNetwork: "SOLANA",
    amount: 1_000_000,
    destinationAddress: "7nYBs5Zv2m",
  }),
};

/** The known-answer vector of the wallet's byte formats (spec/wallets.md#known-answer-vector). */
export const KNOWN = {
  recipientPrivate: "b7b74078e581c4a017c35d4f52b7d0cbddcd1dc94e570635fd29a16809b0c9f2",
  recipientPublic:
    "04a8495231147679891ba77f36e53a318e1c0256cb7de1e9f38f06652b124adcde" +
    "e1814e43e071f1823c51c4a2c352f256a694ee5ee76bdf760042e140a4dac7c3",
  ephemeralPrivate: "487b91785202c541c936d5caa5af9bd349ed4bed16ac5ed548b777dab1c62c1f",
  encapped:
    "0452559f5ddc36eeee15f4937ceb90e2f74877767aedcda213d55f451c01b85520" +
    "ee034ea9d2e0acc91fbeae839dfaf2955c2c098f18d0ae382b6c1131e556613c",
  sessionPrivate: "173917fe993d05bc444eb207e30a5b4f8fab4658294c27f34666f426332920d5",
  sessionPublic: "03f38a502b8d0e8fccd02d5f9f0a1085f943cd41388161f15e870b60ce32a49eb6",
  ciphertext:
    "92c6db6f088c719aa25c7efb9938b50b11e03584d561f7680273e32bdc449155" +
    "58ad5743a8735e6bfa2841e226748803",
  bundle:
    "jP1wuP5qTqggDoujXRznpCqUsKiq88pe3oijBfxpBnNnMCwtqmzpTtjDUCrVN6Uqb2wSWUpNCd8JkqSpfPshjyWwwY5h" +
    "2As3XuLTjKZUqRJd5eHBkip",
} as const;

/** Entropy that gives this key: the remainder of a division, plus one. */
export const entropyFor = (privateKeyHex: string) =>
  (BigInt(`0x${privateKeyHex}`) - 1n).toString(16).padStart(96, "0");

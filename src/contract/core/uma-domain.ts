/** Text that can follow the `@` of a UMA address: a domain name (spec/uma-payments.md#address-form). */
const UMA_DOMAIN = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/i;

/** Whether a text can follow the `@` of a UMA address. */
export const isUmaDomain = (text: string) => UMA_DOMAIN.test(text);

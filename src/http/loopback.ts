const LOOPBACK_NAME = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i;

/** Whether a host name or address can only mean this machine. */
export const isLoopbackName = (hostname: string) => LOOPBACK_NAME.test(hostname);

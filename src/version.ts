declare const __VERSION__: string;

/** Version of this package, put in when it is built. */
export const VERSION = __VERSION__;

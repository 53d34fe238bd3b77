declare const __VERSION__: string;

/** Version of this package, inserted by the build. */
export const VERSION = __VERSION__;

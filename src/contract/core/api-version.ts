/** Version of the platform's API: the first segment of all its paths. */
export const API_VERSION = "2025-10-13";

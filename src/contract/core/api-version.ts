/** Version of the platform's API, with which every path of it begins. */
export const API_VERSION = "2025-10-13";

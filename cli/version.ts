declare const FLOWSHEET_VERSION: string | undefined;

/** The version of the package; the build puts it in. */
export const version: string = typeof FLOWSHEET_VERSION === "string" ? FLOWSHEET_VERSION : "0.0.0";

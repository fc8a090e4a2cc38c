/** One line of `doctor`. */
export interface Finding {
  readonly about: string;
  readonly status: "ok" | "warning" | "problem";
  readonly message: string;
  readonly help: string | null;
}

export type Findings = readonly Finding[];

const found =
  (status: Finding["status"]) =>
  (about: string, message: string, help: string): Finding => ({ about, status, message, help });

export const ok = (about: string, message: string): Finding => ({ about, status: "ok", message, help: null });
export const warning = found("warning");
export const problem = found("problem");

export function bundleProgram(root: string, name: string): Promise<string>;

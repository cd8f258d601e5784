export function installChromium(): Promise<string>;
export const chromiumArgs: readonly string[];

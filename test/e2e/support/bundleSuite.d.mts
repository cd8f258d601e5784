export function bundleSuite(): Promise<string>;

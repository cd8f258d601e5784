export function loadFromCache(files: Map<string, string>): void;

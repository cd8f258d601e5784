export function packChunks(
  files: Map<string, string>,
  entries: Readonly<Record<string, string>>,
  packs: readonly (readonly [name: string, belongsTo: readonly string[]])[],
): void;

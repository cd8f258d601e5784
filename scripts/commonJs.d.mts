import type { TransformOptions } from 'esbuild';

export function toCommonJs(texts: ReadonlyMap<string, string>, options: TransformOptions): Promise<Map<string, string>>;
export function changingExports(text: string): Set<string>;

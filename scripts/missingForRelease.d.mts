export function missingForRelease(options: {
  readonly manifest: object;
  readonly changelog: string;
  readonly tag?: string | undefined;
}): readonly string[];
export function isPreRelease(version: string): boolean;

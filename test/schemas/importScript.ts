/** Loads a build script, which is plain JavaScript without declarations. */
export async function importScript<Exports>(path: string): Promise<Exports> {
  return (await import(new URL(`../../scripts/${path}`, import.meta.url).href)) as Exports;
}

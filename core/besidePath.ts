/** A path from the folder of a file, normalised; undefined where it is absolute or leads out of the folder that files are read from. */
export function besidePath(file: string, path: string): string | undefined {
  if (/^(?:[a-z]+:|[/\\~])/i.test(path)) return undefined;
  const segments = file.split('/').slice(0, -1);
  for (const segment of path.split(/[/\\]/)) {
    if (segment === '..') {
      if (segments.pop() === undefined) return undefined;
    } else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments.length === 0 ? undefined : segments.join('/');
}

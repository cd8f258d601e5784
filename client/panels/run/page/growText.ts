/** A scrolled part of the page, of which every read may cost a layout. */
export interface Region {
  readonly scrollHeight: number;
  readonly clientHeight: number;
  scrollTop: number;
}

interface Growing {
  readonly region: Region;
  readonly write: (text: string) => void;
  waiting: string;
}

const unwritten = new Set<Growing>();

/**
 * Appends text to a region that keeps showing its end, unless a reader has scrolled back. What is appended within one task is written at its
 * end, so that a frame's chunks cost two layouts, however many they are and however many regions they go to.
 */
export function growText(region: Region, write: (text: string) => void): (text: string) => void {
  const growing: Growing = { region, write, waiting: '' };
  return (text) => {
    growing.waiting += text;
    if (unwritten.size === 0) queueMicrotask(writeGrownTexts);
    unwritten.add(growing);
  };
}

/** Writes what has been appended. To be called before something else depends on how high the regions are. */
export function writeGrownTexts(): void {
  const all = [...unwritten];
  unwritten.clear();
  // Reading after a change makes the browser lay out again, so all regions are read before any is changed.
  const followed = all.filter(({ region }) => region.scrollHeight - region.scrollTop - region.clientHeight < 24);
  for (const growing of all) {
    growing.write(growing.waiting);
    growing.waiting = '';
  }
  for (const { region } of followed) region.scrollTop = region.scrollHeight;
}

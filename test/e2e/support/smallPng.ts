import { deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * The same picture with at most 256 colours, a third to a quarter of the size: the most frequent colours stay exactly as they are, the
 * shades at the edges of letters become the nearest of them.
 *
 * @param png as browsers make them: 8 bits a channel, with or without alpha, not interlaced
 */
export function toSmallPng(png: Buffer): Buffer {
  return toMovingPng([{ png, milliseconds: 0 }]);
}

export interface Shot {
  readonly png: Buffer;
  /** How long it is shown, from 0 to 65,535. */
  readonly milliseconds: number;
}

/**
 * Pictures of one size, one after the other without end (https://www.w3.org/TR/png-3/#apng-frame-based-animation), with at most 256 colours in
 * all. Where animations are not shown, the first of them. One alone does not move.
 */
export function toMovingPng(shots: readonly Shot[]): Buffer {
  const pictures = shots.map(({ png }) => coloursOf(png));
  const [first] = pictures;
  if (first === undefined) throw new Error('A picture needs one shot at least');
  const counts = new Map<number, number>();
  for (const { colours } of pictures) for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const palette = choosePalette(counts);
  const entries = new Map(palette.map((colour, index) => [colour, index]));
  const entryOf = (colour: number): number => {
    let entry = entries.get(colour);
    if (entry === undefined) {
      entry = nearest(palette, colour);
      entries.set(colour, entry);
    }
    return entry;
  };
  const header = numbers([first.width, 4], [first.height, 4], [8, 1], [3, 1], [0, 1], [0, 1], [0, 1]);
  const parts = [chunk('IHDR', header)];
  const moves = shots.length > 1;
  if (moves) parts.push(chunk('acTL', numbers([shots.length, 4], [0, 4])));
  parts.push(chunk('PLTE', Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]))));
  let sequence = 0;
  for (const [index, picture] of pictures.entries()) {
    const { x, y, width, height } = index === 0 ? { x: 0, y: 0, ...first } : changedArea(pictures[index - 1]!, picture);
    if (moves) {
      const place = [width, height, x, y].map((value) => [value, 4] as const);
      parts.push(chunk('fcTL', numbers([sequence++, 4], ...place, [shots[index]!.milliseconds, 2], [1000, 2], [0, 1], [0, 1])));
    }
    // Each row begins with the number of its filter: none, which suits a palette best.
    const rows = Buffer.alloc((width + 1) * height);
    for (let row = 0; row < height; row++)
      for (let column = 0; column < width; column++)
        rows[row * (width + 1) + 1 + column] = entryOf(picture.colours[(y + row) * picture.width + x + column]!);
    const data = deflateSync(rows, { level: 9 });
    parts.push(index === 0 ? chunk('IDAT', data) : chunk('fdAT', Buffer.concat([numbers([sequence++, 4]), data])));
  }
  return Buffer.concat([signature, ...parts, chunk('IEND', Buffer.alloc(0))]);
}

interface Picture {
  readonly width: number;
  readonly height: number;
  /** 0xRRGGBB, row by row. */
  readonly colours: Uint32Array;
}

function coloursOf(png: Buffer): Picture {
  const { width, height, channels, pixels } = decode(png);
  const colours = new Uint32Array(width * height);
  for (let index = 0; index < colours.length; index++) {
    const at = index * channels;
    colours[index] = (pixels[at]! << 16) | (pixels[at + 1]! << 8) | pixels[at + 2]!;
  }
  return { width, height, colours };
}

/** The smallest area that holds all that differs, a single pixel where nothing does. */
function changedArea(before: Picture, { width, height, colours }: Picture) {
  if (before.width !== width || before.height !== height) throw new Error('The pictures are not of one size');
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if (colours[y * width + x] === before.colours[y * width + x]) continue;
      [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), y];
    }
  return right < 0 ? { x: 0, y: 0, width: 1, height: 1 } : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

/** Numbers one after the other, each in its count of bytes. */
function numbers(...values: readonly (readonly [value: number, bytes: number])[]): Buffer {
  return Buffer.concat(
    values.map(([value, bytes]) => {
      const buffer = Buffer.alloc(bytes);
      buffer.writeUIntBE(value, 0, bytes);
      return buffer;
    }),
  );
}

/** The most frequent colours, then those that are farthest from all chosen: a thin red line is to stay red. */
function choosePalette(counts: ReadonlyMap<number, number>): readonly number[] {
  const byCount = [...counts].sort(([, left], [, right]) => right - left);
  const palette = byCount.slice(0, 160).map(([colour]) => colour);
  const others = byCount.slice(160).map(([colour, count]) => ({ colour, weight: Math.sqrt(count), far: Number.POSITIVE_INFINITY }));
  const measure = (chosen: number) => {
    for (const other of others) other.far = Math.min(other.far, distance(other.colour, chosen));
  };
  palette.forEach(measure);
  while (palette.length < 256) {
    const next = others.reduce((best, other) => (other.far * other.weight > best.far * best.weight ? other : best), others[0] ?? none);
    if (next.far === 0) break;
    palette.push(next.colour);
    measure(next.colour);
  }
  return palette;
}

const none = { colour: 0, weight: 0, far: 0 };

function nearest(palette: readonly number[], colour: number): number {
  let best = 0;
  for (const [index, other] of palette.entries()) if (distance(other, colour) < distance(palette[best]!, colour)) best = index;
  return best;
}

/** Squared. */
function distance(left: number, right: number): number {
  const red = (left >> 16) - (right >> 16);
  const green = ((left >> 8) & 255) - ((right >> 8) & 255);
  const blue = (left & 255) - (right & 255);
  return red * red + green * green + blue * blue;
}

function decode(png: Buffer): { readonly width: number; readonly height: number; readonly channels: number; readonly pixels: Uint8Array } {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const [depth, kind, , , interlaced] = png.subarray(24, 29);
  if (depth !== 8 || (kind !== 2 && kind !== 6) || interlaced !== 0) throw new Error('Not a picture as browsers make them');
  const channels = kind === 6 ? 4 : 3;
  const data: Buffer[] = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const raw = inflateSync(Buffer.concat(data));
  const stride = width * channels;
  const pixels = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)]!;
    for (let x = 0; x < stride; x++) {
      const left = x < channels ? 0 : pixels[y * stride + x - channels]!;
      const above = y === 0 ? 0 : pixels[(y - 1) * stride + x]!;
      const corner = x < channels || y === 0 ? 0 : pixels[(y - 1) * stride + x - channels]!;
      const guess = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter]!;
      pixels[y * stride + x] = raw[y * (stride + 1) + 1 + x]! + guess;
    }
  }
  return { width, height, channels, pixels };
}

function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const [toLeft, toAbove, toCorner] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  return toLeft <= toAbove && toLeft <= toCorner ? left : toAbove <= toCorner ? above : corner;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(checksum(body), body.length + 4);
  return framed;
}

/** CRC-32, as PNG has it. */
function checksum(bytes: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

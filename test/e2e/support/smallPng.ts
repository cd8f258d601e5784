import { deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * The same picture with at most 256 colours, a third to a quarter of the size: the most frequent colours stay exactly as they are, the
 * shades at the edges of letters become the nearest of them.
 *
 * @param png as browsers make them: 8 bits a channel, with or without alpha, not interlaced
 */
export function toSmallPng(png: Buffer): Buffer {
  const { width, height, channels, pixels } = decode(png);
  const counts = new Map<number, number>();
  const colours = new Uint32Array(width * height);
  for (let index = 0; index < colours.length; index++) {
    const at = index * channels;
    const colour = (pixels[at]! << 16) | (pixels[at + 1]! << 8) | pixels[at + 2]!;
    colours[index] = colour;
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
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
  // Each row begins with the number of its filter: none, which suits a palette best.
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = entryOf(colours[y * width + x]!);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const table = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  const parts = [
    chunk('IHDR', header),
    chunk('PLTE', table),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([signature, ...parts]);
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

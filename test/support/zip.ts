import { inflateRawSync } from 'node:zlib';

/** A file of a .zip archive. */
export interface ZipEntry {
  readonly path: string;
  readonly size: number;
  read(): Buffer;
}

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;

/** What a .zip holds, by its central directory (APPNOTE 4.3.12). Without encryption, ZIP64 and comments, which a .vsix has not. */
export function readZip(bytes: Buffer): readonly ZipEntry[] {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0 || bytes.readUInt32LE(end) !== endSignature) throw new Error('This is no .zip file.');
  const count = bytes.readUInt16LE(end + 10);
  const entries: ZipEntry[] = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    if (bytes.readUInt32LE(at) !== entrySignature) throw new Error(`Entry ${index} is not where it should be.`);
    const [nameLength, extraLength, commentLength] = [
      bytes.readUInt16LE(at + 28),
      bytes.readUInt16LE(at + 30),
      bytes.readUInt16LE(at + 32),
    ];
    const method = bytes.readUInt16LE(at + 10);
    const compressed = bytes.readUInt32LE(at + 20);
    const header = bytes.readUInt32LE(at + 42);
    entries.push({
      path: bytes.toString('utf8', at + 46, at + 46 + nameLength),
      size: bytes.readUInt32LE(at + 24),
      read() {
        const start = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
        const data = bytes.subarray(start, start + compressed);
        return method === 0 ? data : inflateRawSync(data);
      },
    });
    at += 46 + nameLength + extraLength + commentLength;
  }
  return entries;
}

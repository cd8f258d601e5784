import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import esbuild from 'esbuild';

const isPack = (path) => path.startsWith('chunks/pack-');
const required = /require\("(\.[^"]*\/)(pack-[\w-]+\.cjs)"\)/g;
const hashLength = 16;

/**
 * Has packs loaded by `loadPack.cjs`, which takes what V8 has compiled of them at build time: each becomes a script whose value is the function
 * that Node makes of a module, and begins with its hash.
 *
 * @param files code by path, as `packChunks` leaves it; changed in place
 * @throws where a pack is not ASCII, which is how it is read, or holds `import()`, which a script without a module cannot do
 */
export function loadFromCache(files) {
  for (const [path, code] of files) files.set(path, code.replace(required, 'require("$1loadPack.cjs")("$2")'));
  for (const [path, code] of [...files].filter(([path]) => isPack(path))) {
    const script = `(function(exports,require,module,__filename,__dirname){${code}\n})`;
    const other = /[^\0-\x7f]/.exec(script);
    if (other !== null) throw new Error(`${path} holds ${JSON.stringify(other[0])}, and packs are to be ASCII.`);
    if (/\bimport\s*\(/.test(script)) throw new Error(`${path} holds an import(), which works in modules only.`);
    const hash = createHash('sha256').update(script).digest('hex').slice(0, hashLength);
    files.set(path, `/*${hash}*/${script}`);
  }
  files.set('chunks/loadPack.cjs', loader());
}

function loader() {
  const source = readFileSync(new URL('loadPack.cjs', import.meta.url), 'utf8');
  return esbuild.transformSync(source, { minifyWhitespace: true, minifySyntax: true }).code;
}

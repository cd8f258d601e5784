import { posix } from 'node:path';

/** What modules of a pack ask for each other: a name that no module has for anything of its own. */
const loader = '__fromPack';

/**
 * Puts chunks that are always loaded together into one file each: finding, reading and wrapping a file takes longer than what is in most of them.
 * Every chunk stays a module, run when it is first asked for.
 *
 * @param files code by path, CommonJS, each with requires of others by relative path; changed in place
 * @param entries the names of the entries and how their paths begin. What an entry requires at once, and what that requires, belongs to it.
 * @param packs `[name, belongsTo]`: what belongs to all the entries named goes into `chunks/pack-NAME.cjs`, into the first where it fits
 */
export function packChunks(files, entries, packs) {
  const closures = new Map(
    Object.entries(entries).map(([name, start]) => {
      const entry = [...files.keys()].find((path) => path.startsWith(start));
      if (entry === undefined) throw new Error(`No file begins with ${start}, to be the entry ${name}.`);
      return [name, closureOf(files, entry)];
    }),
  );
  const packOf = new Map();
  for (const [name, belongsTo] of packs) {
    for (const path of files.keys()) {
      const isIn = path.startsWith('chunks/') && belongsTo.every((entry) => closures.get(entry).has(path));
      if (isIn && !packOf.has(path)) packOf.set(path, `chunks/pack-${name}.cjs`);
    }
  }
  for (const [path, code] of files) files.set(path, redirected(path, code, packOf));
  for (const pack of new Set(packOf.values())) {
    const paths = [...packOf].filter(([, own]) => own === pack).map(([path]) => path);
    // Parentheses tell V8 that the function is called soon, so that it is not parsed twice.
    const modules = paths.map(
      (path) => `${JSON.stringify(posix.basename(path))}:(function(module,exports,${loader}){${files.get(path)}\n})`,
    );
    for (const path of paths) files.delete(path);
    files.set(
      pack,
      `const modules={${modules.join(',\n')}},cache={};function ${loader}(name){let module=cache[name];if(module===undefined){module=cache[name]={exports:{}};modules[name](module,module.exports,${loader})}return module.exports}module.exports=${loader};`,
    );
  }
}

const required = /require\("(\.{1,2}\/[^"]+\.cjs)"\)/g;
const lazily = /Promise\.resolve\(\)\.then\(\(\)\s*=>\s*[^;]*?require\("\.{1,2}\/[^"]+"\)/g;

function closureOf(files, entry) {
  const found = new Set([entry]);
  for (const path of found) {
    for (const [, other] of files.get(path).replace(lazily, '').matchAll(required)) {
      const target = posix.join(posix.dirname(path), other);
      if (files.has(target)) found.add(target);
    }
  }
  return found;
}

function redirected(path, code, packOf) {
  return code.replace(required, (all, other) => {
    const target = posix.join(posix.dirname(path), other);
    const pack = packOf.get(target);
    if (pack === undefined) return all;
    const name = JSON.stringify(posix.basename(target));
    if (pack === packOf.get(path)) return `${loader}(${name})`;
    const way = posix.relative(posix.dirname(path), pack);
    return `require("${way.startsWith('.') ? way : `./${way}`}")(${name})`;
  });
}

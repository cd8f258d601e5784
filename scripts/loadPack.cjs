// Ships as dist/commands/chunks/loadPack.cjs. Runs a pack as Node runs a module, from the code that V8 has compiled at build time where that
// is there and this V8 takes it.
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { Script } = require('node:vm');

const packs = {};

/** What a pack exports, by its file's name. */
function loadPack(name) {
  packs[name] ??= runPack(name);
  return packs[name];
}

function runPack(name) {
  const path = join(__dirname, name);
  // A pack is ASCII, of which latin1 is the encoding that is read soonest.
  const code = readFileSync(path, 'latin1');
  // V8 keeps the file's name in what it has compiled. So it is one that is the same on every machine.
  const script = new Script(code, { filename: `agent-stack/${name}`, cachedData: readCache(name, code) });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, require, module, path, __dirname);
  return module.exports;
}

function readCache(name, code) {
  try {
    return readFileSync(cacheOf(name, code));
  } catch {
    // Then V8 compiles the code, as it does where it rejects a cache.
    return undefined;
  }
}

/**
 * The file with what V8 has compiled of a pack. Of the code V8 compares nothing but the length, so the hash with which a pack begins is in the
 * name. So is all of what V8 calls itself, since builds of one version do not write the same for the same code (11.3.244.8-node.33 and -node.38).
 */
function cacheOf(name, code) {
  const { arch, platform, versions } = process;
  const hash = code.slice('/*'.length, code.indexOf('*/'));
  return join(__dirname, `${name}-${hash}-${versions.v8}-${platform}-${arch}.cache`);
}

module.exports = loadPack;
module.exports.cacheOf = cacheOf;

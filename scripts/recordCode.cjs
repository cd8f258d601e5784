// Run by `codeCache.mjs`: does in one process what users do with commands and server, and writes beside each pack what V8 has compiled of it when the
// first command that loads it is done, functions that were compiled when they were called included. V8 reads all of a cache, needed or not:
// with what later commands need as well, each check would start later.
const { renameSync, rmSync, writeFileSync, writeSync } = require('node:fs');
const { join } = require('node:path');
const v8 = require('node:v8');
const vm = require('node:vm');

/** The folder of the commands, and the arguments of each command. */
const [folder, commands] = JSON.parse(process.argv[2]);
const { setFlagsFromString } = v8;
const recorded = [];
const written = new Set();

// V8 forgets what has not run for a while.
setFlagsFromString('--no-flush-bytecode');
// V8 takes a cache only with the flags it was made with, and those that commands set later on are not set yet when they load a pack.
v8.setFlagsFromString = () => undefined;
vm.Script = class extends vm.Script {
  constructor(code, options) {
    super(code, { ...options, cachedData: undefined });
    recorded.push({ script: this, code, name: options.filename.slice(options.filename.lastIndexOf('/') + 1) });
  }
};
process.on('exit', (code) => {
  if (code !== 0) return;
  try {
    writeCaches();
  } catch (error) {
    // Whoever called `process.exit` may catch what is thrown here.
    writeSync(process.stderr.fd, `${error.stack}\n`);
    process.reallyExit(1);
  }
});

function writeCaches() {
  const { cacheOf } = require(join(folder, 'chunks/loadPack.cjs'));
  setFlagsFromString('--flush-bytecode');
  for (const { script, code, name } of recorded) {
    if (written.has(name)) continue;
    written.add(name);
    const target = cacheOf(name, code);
    const part = `${target}.part`;
    try {
      writeFileSync(part, script.createCachedData());
      renameSync(part, target);
    } finally {
      rmSync(part, { force: true });
    }
  }
  setFlagsFromString('--no-flush-bytecode');
}

async function runAll() {
  const cli = require(join(folder, 'cli.cjs'));
  const { write } = process.stdout;
  // What is written there is for the client of the server.
  process.stdout.write = () => true;
  for (const args of commands) {
    await cli.main(args);
    writeCaches();
  }
  process.stdout.write = write;
  await require(join(folder, 'server.cjs')).main(['--stdio']);
}

void runAll();

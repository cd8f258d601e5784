// Run by `codeCache.mjs`: does in one process what users do with commands and server, and at the end writes beside each pack what V8 has compiled
// of it by then, which includes functions that were compiled when they were first called.
const { renameSync, rmSync, writeFileSync, writeSync } = require('node:fs');
const { join } = require('node:path');
const v8 = require('node:v8');
const vm = require('node:vm');

/** The folder of the commands, and the arguments of each command. */
const [folder, commands] = JSON.parse(process.argv[2]);
const { setFlagsFromString } = v8;
const recorded = [];

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
  setFlagsFromString('--flush-bytecode');
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
  for (const { script, code, name } of recorded) {
    const target = cacheOf(name, code);
    const part = `${target}.part`;
    try {
      writeFileSync(part, script.createCachedData());
      renameSync(part, target);
    } finally {
      rmSync(part, { force: true });
    }
  }
}

async function runAll() {
  const cli = require(join(folder, 'cli.cjs'));
  const { write } = process.stdout;
  // What is written there is for the client of the server.
  process.stdout.write = () => true;
  for (const args of commands) await cli.main(args);
  process.stdout.write = write;
  await require(join(folder, 'server.cjs')).main(['--stdio']);
}

void runAll();

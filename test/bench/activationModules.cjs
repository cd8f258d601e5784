// Activates the extension without an editor, with an API that does nothing, and prints what was required until `activate` returned.
const Module = require('node:module');
const { relative, join } = require('node:path');

const root = join(__dirname, '../..');
const required = new Set();
/** Whatever is asked of it, called or constructed, it is itself. */
const nothing = new Proxy(class {}, {
  get: (_target, key) =>
    key === Symbol.toPrimitive ? () => 'nothing' : key === 'then' ? undefined : key === Symbol.iterator ? [][Symbol.iterator] : nothing,
  apply: () => nothing,
  construct: () => nothing,
  has: () => true,
  // A copy of it, as bundlers make one of a namespace, asks it for all it has not itself.
  getPrototypeOf: () => nothing,
});
const load = Module._load;
Module._load = function (request, parent, isMain) {
  if (request === 'vscode') return nothing;
  const path = Module._resolveFilename(request, parent, isMain);
  required.add(path.startsWith(root) ? relative(root, path).replaceAll('\\', '/') : path);
  return load.call(this, request, parent, isMain);
};
const { activate } = require(process.argv[2]);
required.delete('');
activate({ subscriptions: [], extensionUri: nothing, globalState: nothing, workspaceState: nothing, secrets: nothing, extension: nothing });
process.stdout.write(JSON.stringify([...required]));
// What starts after `activate`, the language server, is not what is counted.
process.exit(0);

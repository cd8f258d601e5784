// The extension's first file. Everything else is beside it, split into files that load when they are needed.
const { activate }: typeof import('./extension.js') = require('./commands/client.cjs');

export { activate };

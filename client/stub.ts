// The extension's first file.
const { activate }: typeof import('./extension.js') = require('./commands/client.cjs');

export { activate };

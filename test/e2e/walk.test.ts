import { startFiles } from '../walk/steps.js';
import { testInHost } from './support/apiSuite.js';

// There from the start: VS Code's watcher may miss what is made in a folder that is just being made.
await testInHost('walk', { files: Object.fromEntries(Object.entries(startFiles).map(([path, text]) => [`walk/${path}`, text])) });

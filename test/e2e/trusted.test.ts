import { testInHost } from './support/apiSuite.js';

await testInHost('trusted');

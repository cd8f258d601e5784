// The library's declarations: what tsc emits, one file for each export of the package and one that they share, for `import` and for `require`.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';

const root = join(import.meta.dirname, '..');
const emitted = join(root, 'dist/declarations');

execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '--project', 'tsconfig.types.json'], {
  cwd: root,
  stdio: 'inherit',
});
const bundle = await rollup({
  input: {
    core: join(emitted, 'core/index.d.ts'),
    main: join(emitted, 'core/main.d.ts'),
    node: join(emitted, 'core/nodeIndex.d.ts'),
  },
  plugins: [dts()],
  external: /^[^./]/,
  onwarn(warning) {
    // Types that signatures name and no entry exports: a program has no need to name them.
    if (!warning.message.includes('references private shared type exports')) throw new Error(warning.message);
  },
});
for (const ending of ['d.ts', 'd.cts'])
  await bundle.write({ dir: join(root, 'dist/types'), entryFileNames: `[name].${ending}`, chunkFileNames: `shared.${ending}` });
await bundle.close();
rmSync(emitted, { recursive: true });

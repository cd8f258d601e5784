import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Tests that change or end their process (mocked modules, another user, signals), so each file has a process of its own. */
const changeTheirProcess = [
  'test/adversarial/**/*.test.ts',
  'test/cli/terminal.test.ts',
  'test/client/debounce.test.ts',
  'test/client/runAgent.test.ts',
  'test/client/servedServers.test.ts',
  'test/llm/vscodeTools.test.ts',
  'test/node/**/*.test.ts',
];
/** Tests that start processes; all others run without, in `npm run test:quick`. */
const startProcesses = [
  'test/diff/compareProjects.test.ts',
  'test/cli/check.test.ts',
  'test/cli/checkFix.test.ts',
  'test/cli/checkStaged.test.ts',
  'test/cli/checkWatch.test.ts',
  'test/cli/completion.test.ts',
  'test/cli/compose.test.ts',
  'test/cli/diff.test.ts',
  'test/cli/diffInput.test.ts',
  'test/cli/diffBlame.test.ts',
  'test/cli/durableRun.test.ts',
  'test/cli/eval.test.ts',
  'test/cli/runStops.test.ts',
  'test/cli/evalTurns.test.ts',
  'test/cli/evalAgainst.test.ts',
  'test/cli/evalPrune.test.ts',
  'test/cli/lsp.test.ts',
  'test/cli/new.test.ts',
  'test/cli/orchestrate.test.ts',
  'test/cli/program.test.ts',
  'test/cli/readOnly.test.ts',
  'test/cli/resume.test.ts',
  'test/cli/run.test.ts',
  'test/cli/runTools.test.ts',
  'test/cli/runsHousekeeping.test.ts',
  'test/cli/tools.test.ts',
  'test/cli/toolsModule.test.ts',
  'test/cli/types.test.ts',
  'test/client/windowCover.test.ts',
  'test/desktop/launch.test.ts',
  'test/docs/tutorial.test.ts',
  'test/docs/typescript.test.ts',
  'test/package/action.test.ts',
  'test/package/freshFacts.test.ts',
  'test/package/release.test.ts',
  'test/package/start.test.ts',
  'test/package/tour.test.ts',
  'test/package/tarball.test.ts',
  'test/package/thirdPartyNotices.test.ts',
  'test/package/vsix.test.ts',
  'test/run/openProject.test.ts',
  'test/run/sessionStore.test.ts',
  'test/run/toolsProcess.test.ts',
  'test/secrets/command.test.ts',
  'test/secrets/everyWriter.test.ts',
  'test/serve/http.test.ts',
  'test/serve/acp.test.ts',
  'test/serve/acpClients.test.ts',
  'test/serve/conformance.test.ts',
  'test/serve/mcpStdio.test.ts',
  'test/server/committed.test.ts',
  'test/server/neovim.test.ts',
  'test/server/ownTools.test.ts',
  'test/server/wire/capabilities.test.ts',
  'test/server/wire/diagnostics.test.ts',
  'test/server/wire/lifecycle.test.ts',
  'test/server/wire/otherTools.test.ts',
  'test/server/wire/promptMarkdown.test.ts',
  'test/server/wire/start.test.ts',
  'test/tools/mcp/eras.test.ts',
  'test/tools/mcp/faults.test.ts',
  'test/tools/mcp/openTools.test.ts',
  'test/tools/mcp/realServers.test.ts',
  'test/tools/mcp/serverContent.test.ts',
];
const dbos = 'test/dbos/**/*.test.ts';
const e2e = 'test/e2e/**';
/** Installed by `npm run bench`, with tests of their own. */
const peers = 'test/bench/peers/**';

export default defineConfig({
  define: { 'process.env.AGENT_STACK_VERSION': JSON.stringify('test') },
  test: {
    setupFiles: ['test/support/seed.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // More than two cores need: tests of processes and databases mostly wait.
    maxWorkers: Math.max(3, availableParallelism()),
    projects: [
      // Without isolation, what the files import is loaded once per worker, not once per file.
      {
        extends: true,
        test: {
          name: 'quick',
          include: ['test/**/*.test.ts'],
          exclude: [e2e, dbos, peers, ...changeTheirProcess, ...startProcesses],
          setupFiles: ['test/support/seed.ts', 'test/support/noProcesses.ts'],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'processes', include: startProcesses, isolate: false } },
      { extends: true, test: { name: 'alone', include: changeTheirProcess } },
      { extends: true, test: { name: 'dbos', include: [dbos], globalSetup: 'test/dbos/setup.ts' } },
    ],
    coverage: {
      provider: 'v8',
      include: ['core/**/*.ts'],
      exclude: ['core/generated/**'],
      reporter: ['text-summary', 'json-summary'],
      thresholds: { lines: 80, statements: 80, functions: 80, branches: 80 },
    },
  },
});

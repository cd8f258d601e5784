// `npm start`: the whole stack on the sample project: the commands check, compose and run as a user types them, then VS Code.
// `npm start -- --no-editor` leaves VS Code out.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const useColour = process.stdout.isTTY && !process.env.NO_COLOR;
const bold = (text) => (useColour ? `\u001b[1m${text}\u001b[22m` : text);
const dim = (text) => (useColour ? `\u001b[2m${text}\u001b[22m` : text);

const steps = [
  { title: 'Check every config file under config/', args: ['check', 'config'] },
  { title: 'The exact prompt agent A2 sends for a case', args: ['compose', 'A2', '--case', 'parser'] },
  {
    title: 'Run A2 on it, with the embedded offline provider: no key, no network',
    args: ['run', 'A2', '--case', 'parser', '--llm', 'offline'],
  },
  { title: 'Run the tests of all agents, answered from config/recordings: a changed prompt no longer fits its recording', args: ['eval'] },
];

for (const [index, { title, args }] of steps.entries()) {
  console.log(`\n${bold(`${index + 1}/${steps.length}  ${title}`)}\n${dim(`$ npx agent-stack ${args.join(' ')}`)}\n`);
  const { status, error } = spawnSync(process.execPath, [join(root, 'dist', 'cli.cjs'), ...args], { cwd: root, stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) {
    console.error(`\nThis step ended with exit code ${status}; its own message is above.`);
    process.exit(status ?? 1);
  }
}

console.log(`
${bold('Next')}
  npx agent-stack run IssueLabels --case login_loop             a Chooser that picks several labels
  npx agent-stack run IncidentExtractor --case checkout_outage  facts out of an incident log
  npx agent-stack run A2 --case cloud_costs --llm openai        a real model; set OPENAI_API_KEY first
  npx agent-stack eval A2 --llm openai --max-cost 0.10          the same tests, asked of a model
  npx agent-stack new agent MyAgent                             your own agent, valid at once
  npx agent-stack explain                                       everything check can find
  docs/getting-started.md                                      from an empty folder to a running agent`);

const isWatched = process.stdin.isTTY && process.stdout.isTTY && !process.env.CI;
if (isWatched && !process.argv.includes('--no-editor')) {
  console.log(`\n${bold('VS Code')}\n`);
  // Loaded only here: the tour needs none of it.
  const { firstLine, openEditor } = await import('./openEditor.mjs');
  try {
    await openEditor();
  } catch (error) {
    console.log(`VS Code was not opened: ${firstLine(error.message)} Everything above works without it.`);
  }
}

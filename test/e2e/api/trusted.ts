// One line for each file of the suite that runs in a trusted workspace.
import './diagnostics.js';
import './commands.js';
import './completion.js';
import './quickFix.js';
import './rename.js';
import './server.js';
import './editText.js';
import './language.js';
import './task.js';
import './run.js';
import './preview.js';
import './effective.js';
import './agents.js';
import './keys.js';
import './languageModel.js';
import './proxy.js';
import './tools.js';

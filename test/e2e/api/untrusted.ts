// One line for each file of the suite that runs in an untrusted workspace.
import './restricted.js';
import './runRestricted.js';
import './taskRestricted.js';
import './servedRestricted.js';
import './committed.js';

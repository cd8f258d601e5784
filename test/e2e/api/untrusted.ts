// One line for each file of the suite that runs in a workspace nobody trusts yet.
import './restricted.js';
import './runRestricted.js';
import './taskRestricted.js';
import './committed.js';

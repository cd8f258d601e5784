// One line for each file of the suite that runs in a trusted workspace.
import './diagnostics.js';

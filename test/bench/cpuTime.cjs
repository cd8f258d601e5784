// Tells the CPU time of the process it is loaded into, in ms, to whoever gave it a descriptor 3.
const { writeSync } = require('node:fs');

process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  writeSync(3, String((user + system) / 1000));
});

// Loaded before a program whose CPU time and memory are measured: writes both to a file when the program ends.
const { writeFileSync } = require('node:fs');

process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  const usage = { cpu: (user + system) / 1000, rss: process.resourceUsage().maxRSS / 1024 };
  writeFileSync(process.env.BENCH_USAGE_FILE, JSON.stringify(usage));
});

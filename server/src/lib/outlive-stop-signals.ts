// Imported first by the entry of each child process. A terminal and systemd send a stop to the children as well, but the
// server still needs their results, or ends them itself. They exit when it closes their pipes.
import { stopSignals } from './stop-signals.ts'

for (const signal of stopSignals) process.on(signal, () => undefined)

import pino, { type Level, type Logger } from 'pino'

// A log that cannot be written, because its disk is full or its reader is gone, must not stop the server. pino's own
// destination would repeat the failed write for ever when the process exits.
process.stderr.on('error', () => undefined)

/** At a terminal, logs only problems by default. A log collector gets every request. */
export function createLog(level: Level | 'silent' = process.stderr.isTTY ? 'warn' : 'info'): Logger {
  return pino({ level, base: null }, process.stderr)
}

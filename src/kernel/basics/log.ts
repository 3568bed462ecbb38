// Structured logs on stdout. Only allow-listed fields of a request are ever written, and the
// redaction below is a second guard for a field that somebody adds without thinking.
import { type Logger, pino } from 'pino'

export type Log = Logger

export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof logLevels)[number]

const redacted = ['authorization', 'cookie', 'password', 'secret', 'token', 'key', 'accountNumber']

export function createLog(level: LogLevel, destination?: { write(line: string): void }): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: redacted.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]) },
  }
  return destination ? pino(options, destination) : pino(options)
}

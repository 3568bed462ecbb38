// Structured logs on standard output, one JSON object per line. Callers name the few fields they
// write; the redaction below is a second guard for a field that was added by mistake. Lines written
// while a request is served contain its id.
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type DestinationStream,
  destination,
  type Logger,
  type LoggerOptions,
  pino,
  stdTimeFunctions,
} from 'pino'

export type Log = Logger

export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof logLevels)[number]

const redacted = ['authorization', 'cookie', 'password', 'secret', 'token', 'key', 'accountNumber']

const servedRequest = new AsyncLocalStorage<string>()

// Everything that `work` logs, directly or not, contains the id of this request.
export function whileServing<Result>(requestId: string, work: () => Result): Result {
  return servedRequest.run(requestId, work)
}

// A new object each time, because the fields of the line are added to it.
function ofServedRequest(): { requestId?: string } {
  const requestId = servedRequest.getStore()
  return requestId === undefined ? {} : { requestId }
}

// A silent log opens no stream, so there is none to close.
export function createLog(
  level: LogLevel,
  output: DestinationStream = level === 'silent' ? nowhere : standardOutput(),
): Log {
  const options: LoggerOptions = {
    level,
    base: null,
    mixin: ofServedRequest,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: describeError },
    redact: { paths: redacted.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]) },
  }
  return pino(options, output)
}

const nowhere: DestinationStream = { write: () => undefined }

// For the log line of each request. Its fields are our own words and numbers, so nothing needs
// redaction. Redaction took a fifth of the time of a request.
export function requestLog(log: Log): Log {
  return log.child({}, { redact: [] })
}

// The fields of an error that are logged, by allow-list: PostgreSQL puts the whole refused row into
// `detail`, and other libraries their input.
const errorFields = ['code', 'errno', 'syscall', 'schema_name', 'table_name', 'constraint_name']
const causesMax = 5

function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { type: typeof error }
  const fields = errorFields.flatMap((name) => {
    const value: unknown = Object.getOwnPropertyDescriptor(error, name)?.value
    return typeof value === 'string' || typeof value === 'number' ? [[name, value]] : []
  })
  const { message, stack } = withoutValues(error)
  return {
    type: error.name,
    message,
    ...Object.fromEntries(fields),
    stack,
    ...(error.cause && depth < causesMax ? { cause: describeError(error.cause, depth + 1) } : {}),
  }
}

// For a value that it can't read (SQLSTATE class 22), PostgreSQL quotes the value in the message.
// The value can contain quotes and line breaks, so everything from the first quote to the last is
// hidden.
function withoutValues(error: Error): { message: string; stack: string } {
  const { message, stack = '' } = error
  const isDataException = 'code' in error && /^22[0-9A-Z]{3}$/.test(String(error.code))
  if (!isDataException) return { message, stack }
  const hide = (text: string) => text.replace(/".*"/s, '"…"')
  const isQuoted = stack.includes(message)
  return { message: hide(message), stack: isQuoted ? stack.replace(message, hide) : hide(stack) }
}

// Lines are buffered and written some thousand characters at a time, at least ten times a second,
// so that logging does not slow a busy service down. Pino writes the rest when the process ends,
// unless it is killed.
function standardOutput(): DestinationStream {
  return destination({ dest: 1, sync: false, minLength: 8192, periodicFlush: 100 })
}

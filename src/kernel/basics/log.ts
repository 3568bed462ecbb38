// Structured logs on stdout, one JSON object a line. Callers name the few fields they write; the
// redaction below is a second guard for a field that somebody adds without thinking. What is
// written while a request is served carries its id, whoever writes it.
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type DestinationStream,
  destination,
  type Logger,
  type LoggerOptions,
  pino,
  symbols,
} from 'pino'

export type Log = Logger

export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof logLevels)[number]

const redacted = ['authorization', 'cookie', 'password', 'secret', 'token', 'key', 'accountNumber']

const servedRequest = new AsyncLocalStorage<string>()

// Everything that `work` logs, and whatever it calls, names this request.
export function whileServing<Result>(requestId: string, work: () => Result): Result {
  return servedRequest.run(requestId, work)
}

// A new object each time: the fields of the line are added to it.
function ofServedRequest(): { requestId?: string } {
  const requestId = servedRequest.getStore()
  return requestId === undefined ? {} : { requestId }
}

// A silent log writes nothing, so it opens nothing that would have to be closed at the end.
export function createLog(
  level: LogLevel,
  output: DestinationStream = level === 'silent' ? nowhere : standardOutput(),
): Log {
  const options: LoggerOptions = {
    level,
    base: null,
    mixin: ofServedRequest,
    timestamp: isoTimestamps(),
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: describeError },
    redact: { paths: redacted.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]) },
  }
  return pino(options, output)
}

const nowhere: DestinationStream = { write: () => undefined }

export type RequestLine = {
  readonly requestId: string
  readonly method: string
  // The pattern of the route, never the path that was asked for.
  readonly route: string
  readonly status: number
  readonly ms: number
  readonly keyId: string | undefined
}

// A line for every request is written so often that the general way, with its look for fields to
// redact, was a fifth of what a request costs. All the fields are our own words and numbers, in
// which nothing needs to be escaped or hidden.
export function requestLog(log: Log): (line: RequestLine) => void {
  if (!log.isLevelEnabled('info')) return () => undefined
  const output = (log as unknown as Record<symbol, DestinationStream>)[symbols.streamSym]
  const timestamp = isoTimestamps()
  return ({ requestId, method, route, status, ms, keyId }) => {
    const key = keyId === undefined ? '' : `,"keyId":"${keyId}"`
    output?.write(
      `{"level":"info"${timestamp()},"requestId":"${requestId}","method":"${method}",` +
        `"route":"${route}","status":${status},"ms":${Math.round(ms * 10) / 10}${key},` +
        '"msg":"request"}\n',
    )
  }
}

// What an error says of itself, by allow-list: PostgreSQL puts the whole refused row into `detail`,
// and other libraries what they were given.
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

// PostgreSQL quotes a value that it cannot read (SQLSTATE class 22) in the message itself.
// The value may itself hold quotes and lines, so all from the first quote to the last is hidden.
function withoutValues(error: Error): { message: string; stack: string } {
  const { message, stack = '' } = error
  const isDataException = 'code' in error && /^22[0-9A-Z]{3}$/.test(String(error.code))
  if (!isDataException) return { message, stack }
  const hide = (text: string) => text.replace(/".*"/s, '"…"')
  const isQuoted = stack.includes(message)
  return { message: hide(message), stack: isQuoted ? stack.replace(message, hide) : hide(stack) }
}

// Lines are gathered and written some ten thousand characters at a time, so that a busy service is
// not slowed down by its own log, and at least ten times a second. The rest is written when the
// process ends, unless it is killed.
const gatheredMax = 32_768
const flushMs = 100

function standardOutput(): DestinationStream {
  const output = destination({ dest: 1, sync: false })
  let gathered = ''
  const flush = () => {
    if (gathered === '') return
    output.write(gathered)
    gathered = ''
  }
  setInterval(flush, flushMs).unref()
  process.once('exit', () => {
    flush()
    output.flushSync()
  })
  return {
    write(line) {
      gathered += line
      if (gathered.length >= gatheredMax) flush()
    },
  }
}

// Many lines fall into one millisecond, and formatting a date is dear.
function isoTimestamps(): () => string {
  let lastMs = 0
  let text = ''
  return () => {
    const nowMs = Date.now()
    if (nowMs !== lastMs) {
      lastMs = nowMs
      text = `,"time":"${new Date(nowMs).toISOString()}"`
    }
    return text
  }
}

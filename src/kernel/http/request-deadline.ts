// Every request gets a response within a bounded time, even if the database does not answer. The
// work continues, so the response says that we are unavailable, not that nothing was done.
//
// The time in which the body arrives does not count. It can take minutes over a slow line, as long
// as enough bytes arrive. A client that sends only a few bytes now and then is cut off.
//
// One timer checks all open requests once a second.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Fault, invalid } from '../basics/fault.ts'
import type { Log } from '../basics/log.ts'
import { temporarilyUnavailable } from './errors.ts'

export type RequestDeadline = {
  begin(request: FastifyRequest, reply: FastifyReply): void
  end(request: FastifyRequest): void
  close(): void
}

export type RequestLimits = {
  // More than the limits of a statement and of a call to the provider together, and about as long
  // as a load balancer waits.
  readonly deadlineSeconds: number
  // A body always gets this time, and more while it arrives at least at the minimum rate.
  readonly arrivalSeconds: number
  readonly arrivalBytesPerSecond: number
}

export const requestLimits: RequestLimits = {
  deadlineSeconds: 60,
  arrivalSeconds: 30,
  arrivalBytesPerSecond: 8 * 1024,
}

type Waiting = {
  readonly reply: FastifyReply
  // While we work on it.
  seconds: number
  // While the body arrives, and the bytes read from the connection when that began.
  arrivingSeconds: number
  bytesBefore: number
}

export function createRequestDeadline(log: Log, limits: RequestLimits): RequestDeadline {
  const open = new Map<FastifyRequest, Waiting>()
  const refuse = ({ reply }: Waiting, fault: Fault) => {
    open.delete(reply.request)
    if (!reply.sent && !reply.raw.headersSent) reply.send(fault)
  }
  const check = () => {
    for (const [request, waiting] of open) {
      if (isArriving(request)) {
        if (waiting.arrivingSeconds === 0) waiting.bytesBefore = request.raw.socket.bytesRead
        waiting.arrivingSeconds += 1
        if (!isTooSlow(waiting, limits)) continue
        log.info({ requestId: request.id }, 'the request did not arrive')
        // We don't read the rest of it.
        waiting.reply.header('connection', 'close')
        refuse(waiting, invalid('The request did not arrive in time.'))
        continue
      }
      waiting.seconds += 1
      if (waiting.seconds <= limits.deadlineSeconds) continue
      log.error({ requestId: request.id }, 'the request took too long')
      refuse(waiting, temporarilyUnavailable())
    }
  }
  const timer = setInterval(check, 1000).unref()
  return {
    begin(request, reply) {
      open.set(request, { reply, seconds: 0, arrivingSeconds: 0, bytesBefore: 0 })
    },
    end: (request) => void open.delete(request),
    close: () => clearInterval(timer),
  }
}

// A body that has arrived but that we have not read yet does not count as arriving.
function isArriving({ raw }: FastifyRequest): boolean {
  return raw.complete === false && raw.readableLength === 0
}

function isTooSlow({ reply, arrivingSeconds, bytesBefore }: Waiting, limits: RequestLimits) {
  const { arrivalSeconds, arrivalBytesPerSecond } = limits
  const bytes = reply.request.raw.socket.bytesRead - bytesBefore
  return bytes < (arrivingSeconds - arrivalSeconds) * arrivalBytesPerSecond
}

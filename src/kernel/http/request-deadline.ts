// Every request has an answer within a bounded time, whatever it waits for: above all for a
// connection to a database that does not answer. What the request has begun goes on without it, so
// the answer says that we are unavailable, and not that nothing was done.
//
// While its body is arriving the time is the sender's and not ours. It has as long as it needs, as
// long as it comes on: a file over a slow line may take minutes, and a drip must not hold a place
// for ever.
//
// One look a second at all of them costs a request next to nothing, unlike a timer for each.
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
  // A body may take so long in any case, and longer while it has come on so fast ever since.
  readonly arrivalSeconds: number
  readonly arrivalBytesPerSecond: number
}

export const requestLimits: RequestLimits = {
  deadlineSeconds: 60,
  arrivalSeconds: 30,
  arrivalBytesPerSecond: 8 * 1024,
}

// A ring of those that wait, in which each knows its neighbours: joining and leaving happens on
// every request, and by a Map would be a tenth of what the shortest of them costs.
type Waiting = {
  reply: FastifyReply
  // Of ours.
  seconds: number
  // Of the sender's, and what had been read from the connection when they began to count.
  arrivingSeconds: number
  bytesBefore: number
  before: Waiting
  after: Waiting
}

declare module 'fastify' {
  interface FastifyRequest {
    waiting: Waiting | undefined
  }
}

export function createRequestDeadline(log: Log, limits: RequestLimits): RequestDeadline {
  const ring = { seconds: 0 } as Waiting
  ring.before = ring
  ring.after = ring
  const end = (request: FastifyRequest) => {
    const { waiting } = request
    if (!waiting) return
    waiting.before.after = waiting.after
    waiting.after.before = waiting.before
    request.waiting = undefined
  }
  const refuse = ({ reply }: Waiting, fault: Fault) => {
    end(reply.request)
    if (!reply.sent && !reply.raw.headersSent) reply.send(fault)
  }
  const look = () => {
    for (let entry = ring.after; entry !== ring; entry = entry.after) {
      const { request } = entry.reply
      if (isArriving(request)) {
        // Asked for only now: it costs more than all else here, and few are still arriving.
        if (entry.arrivingSeconds === 0) entry.bytesBefore = request.raw.socket.bytesRead
        entry.arrivingSeconds += 1
        if (!isTooSlow(entry, limits)) continue
        log.info({ requestId: request.id }, 'the request did not arrive')
        // The rest of it is not wanted any more.
        entry.reply.header('connection', 'close')
        refuse(entry, invalid('The request did not arrive in time.'))
        continue
      }
      entry.seconds += 1
      if (entry.seconds <= limits.deadlineSeconds) continue
      log.error({ requestId: request.id }, 'the request took too long')
      refuse(entry, temporarilyUnavailable())
    }
  }
  const timer = setInterval(look, 1000).unref()
  return {
    begin(request, reply) {
      const waiting = {
        reply,
        seconds: 0,
        arrivingSeconds: 0,
        bytesBefore: 0,
        before: ring.before,
        after: ring,
      }
      ring.before.after = waiting
      ring.before = waiting
      request.waiting = waiting
    },
    end,
    close: () => clearInterval(timer),
  }
}

// What has arrived and nobody has read waits for us, and not for its sender.
function isArriving({ raw }: FastifyRequest): boolean {
  return raw.complete === false && raw.readableLength === 0
}

function isTooSlow({ reply, arrivingSeconds, bytesBefore }: Waiting, limits: RequestLimits) {
  const { arrivalSeconds, arrivalBytesPerSecond } = limits
  const bytes = reply.request.raw.socket.bytesRead - bytesBefore
  return bytes < (arrivingSeconds - arrivalSeconds) * arrivalBytesPerSecond
}

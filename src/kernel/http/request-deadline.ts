// Every request has an answer within a bounded time, whatever it waits for: above all for a
// connection to a database that does not answer. What the request has begun goes on without it, so
// the answer says that we are unavailable, and not that nothing was done.
// One look a second at all of them costs a request next to nothing, unlike a timer for each.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '../basics/log.ts'
import { temporarilyUnavailable } from './errors.ts'

export type RequestDeadline = {
  begin(request: FastifyRequest, reply: FastifyReply): void
  end(request: FastifyRequest): void
  close(): void
}

// More than the limits of a statement and of a call to the provider together, and about as long as
// a load balancer waits.
export const deadlineSecondsDefault = 60

// A ring of those that wait, in which each knows its neighbours: joining and leaving happens on
// every request, and by a Map would be a tenth of what the shortest of them costs.
type Waiting = { reply: FastifyReply; seconds: number; before: Waiting; after: Waiting }

declare module 'fastify' {
  interface FastifyRequest {
    waiting: Waiting | undefined
  }
}

export function createRequestDeadline(log: Log, seconds: number): RequestDeadline {
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
  const look = () => {
    for (let entry = ring.after; entry !== ring; entry = entry.after) {
      entry.seconds += 1
      if (entry.seconds <= seconds) continue
      const { reply } = entry
      end(reply.request)
      if (reply.sent || reply.raw.headersSent) continue
      log.error({ requestId: reply.request.id }, 'the request took too long')
      reply.send(temporarilyUnavailable())
    }
  }
  const timer = setInterval(look, 1000).unref()
  return {
    begin(request, reply) {
      const waiting = { reply, seconds: 0, before: ring.before, after: ring }
      ring.before.after = waiting
      ring.before = waiting
      request.waiting = waiting
    },
    end,
    close: () => clearInterval(timer),
  }
}

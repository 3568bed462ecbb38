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

export function createRequestDeadline(log: Log, seconds: number): RequestDeadline {
  const waiting = new Map<FastifyRequest, { reply: FastifyReply; seconds: number }>()
  const look = () => {
    for (const [request, entry] of waiting) {
      entry.seconds += 1
      if (entry.seconds <= seconds) continue
      waiting.delete(request)
      if (entry.reply.sent || entry.reply.raw.headersSent) continue
      log.error({ requestId: request.id }, 'the request took too long')
      entry.reply.send(temporarilyUnavailable())
    }
  }
  const timer = setInterval(look, 1000).unref()
  return {
    begin: (request, reply) => waiting.set(request, { reply, seconds: 0 }),
    end: (request) => waiting.delete(request),
    close: () => clearInterval(timer),
  }
}

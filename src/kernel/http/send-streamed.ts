// Sends an answer that is too long to be held in memory. The next piece is made when the caller has
// taken the one before, and none any more when the caller has gone. The status is sent before it is
// known whether all will go well: what fails later cuts the connection, because a body that ends
// as if it were complete would be believed.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Log } from '../basics/log.ts'
import type { Streamed } from './route.ts'

export async function sendStreamed(
  reply: FastifyReply,
  { status, headers, pieces }: Streamed,
  log: Log,
): Promise<FastifyReply> {
  const iterator = pieces[Symbol.asyncIterator]()
  // Most of what can fail fails by now, and is still answered as any failure is.
  const first = await iterator.next()
  const body = Readable.from(guarded(reply, first, iterator, log))
  return reply.code(status).headers(headers).send(body)
}

async function* guarded(
  reply: FastifyReply,
  first: IteratorResult<string>,
  rest: AsyncIterator<string>,
  log: Log,
): AsyncGenerator<string> {
  try {
    for (let next = first; next.done !== true; next = await rest.next()) yield next.value
  } catch (error) {
    log.error({ requestId: reply.request.id, err: error }, 'an answer was cut off')
    // Reset rather than closed: without chunks, as in HTTP/1.0, the close would be the proper end.
    reply.raw.socket?.resetAndDestroy()
    throw error
  } finally {
    await rest.return?.()
  }
}

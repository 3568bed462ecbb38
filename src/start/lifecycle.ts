// How the process ends. The order matters: report that we are not ready, let requests and jobs
// finish, and only then close the database that they need. While requests are in flight, new ones
// still get a response, so that health checks see that we are not ready. A second signal ends the
// process at once.
import { once } from 'node:events'
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Settings } from '../config.ts'
import type { Log } from '../kernel/basics/log.ts'

export type Runnable = {
  readonly fastify: FastifyInstance
  setReady(ready: boolean): void
  readonly worker?: { start(): void; stop(): Promise<void> }
}

export type Stoppable = Runnable & Watch

export type Watch = {
  // Settles when the current requests have their responses, or their callers are gone.
  answered(): Promise<unknown>
  closeSilent(): void
}

// A resource that was opened and must be closed: in order or, if there is no time, at once.
export type Resource = { close(): Promise<void> | void; abandon?(): void }

export type Stop = {
  readonly signal: AbortSignal
  // Settles with the exit status when the process must end.
  readonly requested: Promise<number>
  // Ends the process like a signal, because of an error.
  fail(error: unknown): void
}

const stopSignals = { SIGTERM: 15, SIGINT: 2, SIGHUP: 1 } as const
// Under npm, Ctrl-C arrives twice: from the terminal, and from npm, which passes it on.
const sameSignalMs = 500
const idleSweepMs = 50
// How long to wait for unfinished work after the grace period.
const afterGraceMs = 15_000

export function stopOnSignals(log: Log, resources: readonly Resource[]): Stop {
  const controller = new AbortController()
  const { promise: requested, resolve } = Promise.withResolvers<number>()
  let nextForces = false
  const end = (status: number) => {
    setTimeout(() => {
      nextForces = true
    }, sameSignalMs).unref()
    controller.abort()
    resolve(status)
  }
  const force = (status: number) => {
    for (const resource of resources.toReversed()) resource.abandon?.()
    process.exit(status)
  }
  for (const [name, number] of Object.entries(stopSignals)) {
    process.on(name, () => {
      if (nextForces) {
        log.warn({ signal: name }, 'second signal; exiting now')
        force(128 + number)
      }
      if (controller.signal.aborted) return
      log.info({ signal: name }, 'stopping')
      end(0)
    })
  }
  process.on('uncaughtException', (error) => {
    log.error({ err: error }, 'uncaught error; exiting')
    force(1)
  })
  const fail = (error: unknown) => {
    if (controller.signal.aborted) return
    log.error({ err: error }, 'stopping after an error')
    end(1)
  }
  return { signal: controller.signal, requested, fail }
}

export async function drain(application: Stoppable, settings: Settings, log: Log): Promise<void> {
  application.setReady(false)
  await delay(settings.shutdownDelaySeconds * 1000)
  const graceMs = settings.shutdownGraceSeconds * 1000
  const { server } = application.fastify
  const cut = setTimeout(() => {
    log.warn('the grace period is over; closing requests in flight')
    server.closeAllConnections()
  }, graceMs)
  let sweep: NodeJS.Timeout | undefined
  const closed = application.answered().then(() => {
    const closing = application.fastify.close()
    application.closeSilent()
    // Node closes connections that are idle now. One whose last response is still to come would
    // stay open for the client's next request.
    sweep = setInterval(() => server.closeIdleConnections(), idleSweepMs)
    return closing
  })
  const finished = Promise.all([closed, application.worker?.stop()])
  const late = delay(graceMs + afterGraceMs, 'late', { ref: false })
  if ((await Promise.race([finished, late])) === 'late') log.error('some work did not finish')
  clearTimeout(cut)
  clearInterval(sweep)
}

// Node counts a connection on which nothing was ever sent (browsers open some in advance) as busy.
// It would delay the end until it times out.
export function watchConnections(server: Server): Watch {
  // The latest response on each connection; earlier ones were sent before it. Nothing is attached
  // to a request, since this is read only once.
  const latest = new Map<Socket, ServerResponse | undefined>()
  server.on('connection', (socket: Socket) => {
    latest.set(socket, undefined)
    socket.once('close', () => latest.delete(socket))
  })
  server.on('request', ({ socket }, response: ServerResponse) => {
    latest.set(socket, response)
  })
  return {
    answered: () => Promise.all([...latest.values()].map(closed)),
    closeSilent() {
      for (const socket of latest.keys()) if (socket.bytesRead === 0) socket.destroy()
    },
  }
}

async function closed(response: ServerResponse | undefined): Promise<void> {
  if (!response || response.closed || response.writableFinished) return
  await once(response, 'close')
}

// The last one opened is closed first.
export async function closeAll(resources: Resource[], log: Log): Promise<void> {
  for (;;) {
    const resource = resources.pop()
    if (!resource) return
    try {
      await resource.close()
    } catch (error) {
      log.error({ err: error }, 'closing failed')
    }
  }
}

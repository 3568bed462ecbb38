// One piece of work at a time, with a queue per owner. Owners take turns, so that an owner with
// much work delays the others by one piece only. Work whose caller has left is dropped before its
// turn; work that has started is finished.
import { Fault, invalid } from './fault.ts'

export type Turns = {
  run<Result>(
    owner: string,
    work: () => Promise<Result>,
    signal?: AbortSignal | undefined,
  ): Promise<Result>
}

export type TurnsOptions = {
  // How much can wait, of one owner and of all together, and the message to others.
  readonly waitingMaxPerOwner: number
  readonly waitingMax: number
  readonly busyMessage: string
  readonly retryAfterSeconds: number
}

type Waiting = { begin(): Promise<void> }

export function createTurns(options: TurnsOptions): Turns {
  // An owner that had a turn goes to the end of the Map.
  const queues = new Map<string, Waiting[]>()
  let waitingCount = 0
  let isBusy = false

  function join(owner: string, waiting: Waiting): void {
    const queue = queues.get(owner) ?? []
    const isFull = queue.length >= options.waitingMaxPerOwner || waitingCount >= options.waitingMax
    if (isFull) {
      const { busyMessage, retryAfterSeconds } = options
      throw new Fault('unavailable', busyMessage, { retryAfterSeconds })
    }
    queue.push(waiting)
    queues.set(owner, queue)
    waitingCount += 1
  }

  function leave(owner: string, waiting: Waiting): void {
    const queue = queues.get(owner) ?? []
    const at = queue.indexOf(waiting)
    if (at < 0) return
    queue.splice(at, 1)
    waitingCount -= 1
    if (queue.length === 0) queues.delete(owner)
  }

  async function next(): Promise<void> {
    if (isBusy) return
    const [first] = queues
    if (!first) return
    const [owner, queue] = first
    const [waiting] = queue
    if (!waiting) return
    queues.delete(owner)
    queues.set(owner, queue)
    leave(owner, waiting)
    isBusy = true
    await waiting.begin()
    isBusy = false
    void next()
  }

  return {
    async run<Result>(owner: string, work: () => Promise<Result>, signal?: AbortSignal) {
      if (signal?.aborted) throw callerLeft()
      const { promise, resolve, reject } = Promise.withResolvers<Result>()
      const waiting: Waiting = {
        begin: () => {
          signal?.removeEventListener('abort', drop)
          return work().then(resolve, reject)
        },
      }
      const drop = () => {
        leave(owner, waiting)
        reject(callerLeft())
      }
      join(owner, waiting)
      signal?.addEventListener('abort', drop, { once: true })
      void next()
      return promise
    },
  }
}

function callerLeft(): Fault {
  return invalid('The request ended before it was complete.')
}

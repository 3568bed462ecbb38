// Loaded into a process before anything else (`node --import`): moves its clock when the sweep says
// so, so that days of retries pass at once. Timers that are due then fire at once.
const realDate = Date
const realSetTimeout = globalThis.setTimeout
const realClearTimeout = globalThis.clearTimeout
let offsetMs = Number(process.env.TIME_OFFSET_MS ?? '0')

const nowMs = () => realDate.now() + offsetMs

globalThis.Date = new Proxy(realDate, {
  construct: (target, args) => {
    return args.length === 0 ? new target(nowMs()) : Reflect.construct(target, args)
  },
  get: (target, key) => (key === 'now' ? nowMs : Reflect.get(target, key)),
})

type Timer = { readonly dueMs: number; fire(): void }
const timers = new Map<unknown, Timer>()

function setTimeoutInTime(callback: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) {
  const fire = () => {
    timers.delete(timeout)
    callback(...args)
  }
  const timeout = realSetTimeout(fire, ms)
  timers.set(timeout, { dueMs: nowMs() + ms, fire })
  return timeout
}

// What `util.promisify` and the like find on the real one.
Object.defineProperties(setTimeoutInTime, Object.getOwnPropertyDescriptors(realSetTimeout))
globalThis.setTimeout = setTimeoutInTime as typeof setTimeout
globalThis.clearTimeout = (timeout) => {
  timers.delete(timeout)
  realClearTimeout(timeout)
}

process.on('message', (message: { offsetMs: number }) => {
  offsetMs = message.offsetMs
  for (const [timeout, { dueMs, fire }] of [...timers]) {
    // One that fired before may have cleared it.
    if (dueMs > nowMs() || !timers.has(timeout)) continue
    realClearTimeout(timeout as NodeJS.Timeout)
    fire()
  }
  process.send?.({ offsetMs })
})
process.channel?.unref()
// Nothing outlives the tests, however they end.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))

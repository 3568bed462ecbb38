// The simulator's own life: it does what is due and sends webhooks, when woken and every moment
// anyway, because other processes and the clock make things due as well.
import type { Background, SimulatorContext } from './context.ts'
import { runDueStep } from './steps/run-steps.ts'
import type { Sender } from './webhooks/send-webhooks.ts'

export type RunningBackground = Background & {
  stop(): Promise<void>
}

// Short enough that a payer who waits for a webhook notices nothing.
const pollMs = 500

export function runBackground(
  contextOf: () => SimulatorContext,
  sender: Sender,
): RunningBackground {
  let running: Promise<void> | undefined
  let isWoken = false
  let isStopped = false

  const work = async (): Promise<void> => {
    do {
      isWoken = false
      while (await runDueStep(contextOf())) if (isStopped) return
      while ((await sender.sendDue()) > 0) if (isStopped) return
    } while (isWoken && !isStopped)
  }
  const run = (): Promise<void> => {
    running ??= work().finally(() => {
      running = undefined
    })
    return running
  }
  const wake = (): void => {
    isWoken = true
    if (isStopped) return
    run().catch((error: unknown) => {
      contextOf().log.warn({ err: error }, 'the provider simulator could not do what is due')
    })
  }
  const timer = setInterval(wake, pollMs).unref()
  return {
    wake,
    async drain() {
      // What is running may have looked before the caller's change was there.
      await running
      await run()
      await sender.settled()
    },
    async stop() {
      isStopped = true
      clearInterval(timer)
      sender.abort()
      await running?.catch(() => undefined)
      await sender.settled()
    },
  }
}

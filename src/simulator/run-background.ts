// The simulator's background work: runs due steps and sends webhooks, when woken and at short
// intervals, because other processes and the clock also make work due.
import type { Background, SimulatorContext } from './context.ts'
import { runDueStep } from './steps/run-steps.ts'
import type { Sender } from './webhooks/send-webhooks.ts'

export type RunningBackground = Background & {
  stop(): Promise<void>
}

// Short enough that a payer who waits for a webhook does not notice.
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
      contextOf().log.warn({ err: error }, 'the background work of the provider simulator failed')
    })
  }
  const timer = setInterval(wake, pollMs).unref()
  return {
    wake,
    async drain() {
      // The current run may have looked before the caller's change was visible.
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

// Sends queued webhooks, each once. The webhooks of one world are sent one after the other, in
// order, so that only a rule reorders them; worlds don't wait for each other.
import type { Environment } from '../../kernel/basics/tenant.ts'
import { assertNoTransaction } from '../../kernel/db/transaction.ts'
import type { SimulatorContext } from '../context.ts'
import { type ClaimedWebhook, updateDueToSent, updateSendOutcome } from './webhook-store.ts'

export type Sender = {
  // Claims due webhooks and starts sending; returns how many there were.
  sendDue(): Promise<number>
  // Waits for webhooks under way.
  settled(): Promise<void>
  // Aborts webhooks under way.
  abort(): void
}

export type SenderOptions = {
  readonly timeoutMs: number
  // Where webhooks of worlds without an address go. Read when one is sent, because the receiver may
  // start after the simulator.
  readonly defaultWebhook?: DefaultWebhook | undefined
}

export type DefaultWebhook = {
  readonly hash: string
  urlFor(environment: Environment): string | undefined
}

const batchSize = 100

export function createSender(
  context: Pick<SimulatorContext, 'clock' | 'database' | 'log'>,
  { timeoutMs, defaultWebhook }: SenderOptions,
): Sender {
  const ending = new AbortController()
  const lanes = new Map<string, Promise<void>>()
  const deliver = async (webhook: ClaimedWebhook): Promise<void> => {
    const target = targetOf(webhook, defaultWebhook)
    const outcome = await post(
      webhook.body,
      target,
      AbortSignal.any([ending.signal, after(timeoutMs)]),
    )
    await updateSendOutcome(context.database.sql, webhook, webhook.id, outcome)
  }
  return {
    async sendDue() {
      const claimed = await context.database.transaction((tx) =>
        updateDueToSent(tx, context.clock.now(), batchSize),
      )
      for (const webhook of claimed) {
        const lane = `${webhook.environment}/${webhook.businessId}`
        const before = lanes.get(lane) ?? Promise.resolve()
        const sending = before
          .then(() => deliver(webhook))
          .catch((error: unknown) => {
            context.log.warn({ err: error }, 'the outcome of a simulated webhook was not recorded')
          })
          .finally(() => {
            if (lanes.get(lane) === sending) lanes.delete(lane)
          })
        lanes.set(lane, sending)
      }
      return claimed.length
    },
    async settled() {
      while (lanes.size > 0) await Promise.all(lanes.values())
    },
    abort: () => ending.abort(),
  }
}

type Outcome = { statusCode: number | null; error: string | null }

type Target = { readonly url: string | null | undefined; readonly hash: string | null }

function targetOf(webhook: ClaimedWebhook, defaultWebhook: DefaultWebhook | undefined): Target {
  const { webhookUrl: url, webhookHash: hash, environment } = webhook
  if (url !== null || !defaultWebhook) return { url, hash }
  return { url: defaultWebhook.urlFor(environment), hash: hash ?? defaultWebhook.hash }
}

async function post(body: string, { url, hash }: Target, signal: AbortSignal): Promise<Outcome> {
  assertNoTransaction('a simulated webhook')
  if (!url) return { statusCode: null, error: 'the world has no webhook address' }
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(hash ? { 'verif-hash': hash } : {}),
      },
      body,
      redirect: 'manual',
      signal,
    })
    await response.body?.cancel()
    return { statusCode: response.status, error: null }
  } catch (error) {
    // A receiver that does not listen is the merchant's problem, and part of the simulation.
    return { statusCode: null, error: error instanceof Error ? error.message : String(error) }
  }
}

// Our own timer, because it must not keep the process alive.
function after(ms: number): AbortSignal {
  const controller = new AbortController()
  setTimeout(() => controller.abort(new Error(`no answer within ${ms} ms`)), ms).unref()
  return controller.signal
}

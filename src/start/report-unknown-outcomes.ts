// A service that was killed during a call to the provider starts again without knowing the outcome.
// The start says so, so that operators neither take the wait for an error nor do by hand what is
// automatic.
import { operatorActor } from '../kernel/auth/actor.ts'
import { isDatabaseTooSlow, isDatabaseUnavailable } from '../kernel/db/database-errors.ts'
import { runOperation } from '../kernel/operations/run-operation.ts'
import type { MerchantContext } from '../merchant/context.ts'
import { listUnknownOutcomes } from '../merchant/outcomes/list-unknown-outcomes.ts'

// Returns the lines for a person at the terminal.
export async function reportUnknownOutcomes(context: MerchantContext): Promise<string[]> {
  const { log } = context
  const outcomes = await listOutcomes(context)
  if (outcomes.length === 0) return []
  const payouts = outcomes.filter(({ kind }) => kind === 'payout').length
  const until = outcomes
    .flatMap(({ sentAgainFrom, failsFrom }) => sentAgainFrom ?? failsFrom ?? [])
    .reduce<Date | null>((last, one) => (last === null || one > last ? one : last), null)
  const told = { payouts, refunds: outcomes.length - payouts, until }
  log.warn(told, 'payouts or refunds have an unknown outcome; asking the provider')
  return [
    `Payouts or refunds with an unknown outcome: ${outcomes.length}. Tillbook is asking the provider.`,
    `What the provider does not know is sent again or fails${until ? `, by ${minuteText(until)}` : ''}.`,
    'You need not do anything. `npm run cli -- outcomes` shows them.',
  ]
}

// The service already answers requests. It does not end because this message fails.
async function listOutcomes(context: MerchantContext) {
  const { log } = context
  try {
    return await runOperation(listUnknownOutcomes, context, operatorActor('start'), {})
  } catch (error) {
    if (!isDatabaseUnavailable(error) && !isDatabaseTooSlow(error)) throw error
    log.warn({ err: error }, 'could not list payouts and refunds with an unknown outcome')
    return []
  }
}

// Rounded up to the minute, since looking up and sending take a few seconds.
function minuteText(moment: Date): string {
  const minuteMs = 60_000
  const end = new Date((Math.floor(moment.getTime() / minuteMs) + 1) * minuteMs)
  return `${end.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

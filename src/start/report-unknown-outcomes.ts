// A service that was killed while the provider was being asked starts again without knowing what
// became of it. Whoever starts it is told, so that nobody takes the wait for a fault, or does by
// hand what is done by itself.
import { operatorActor } from '../kernel/auth/actor.ts'
import { isDatabaseTooSlow, isDatabaseUnavailable } from '../kernel/db/database-errors.ts'
import { runOperation } from '../kernel/operations/run-operation.ts'
import type { MerchantContext } from '../merchant/context.ts'
import { listUnknownOutcomes } from '../merchant/outcomes/list-unknown-outcomes.ts'

// Answers the lines for a person at the terminal.
export async function reportUnknownOutcomes(context: MerchantContext): Promise<string[]> {
  const { log } = context
  const outcomes = await listOutcomes(context)
  if (outcomes.length === 0) return []
  const payouts = outcomes.filter(({ kind }) => kind === 'payout').length
  const until = outcomes
    .flatMap(({ sentAgainFrom, failsFrom }) => sentAgainFrom ?? failsFrom ?? [])
    .reduce<Date | null>((last, one) => (last === null || one > last ? one : last), null)
  const told = { payouts, refunds: outcomes.length - payouts, until }
  log.warn(told, 'the provider has not answered for payouts or refunds; it is being asked')
  return [
    `Payouts or refunds that the provider has not answered for: ${outcomes.length}. It is being asked`,
    `what became of them; what it does not know is sent again${until ? ` by ${minuteText(until)}` : ''}.`,
    'Nothing has to be done. `npm run cli -- outcomes` shows them.',
  ]
}

// The service answers requests already: it does not end because a line for people cannot be had.
async function listOutcomes(context: MerchantContext) {
  const { log } = context
  try {
    return await runOperation(listUnknownOutcomes, context, operatorActor('start'), {})
  } catch (error) {
    if (!isDatabaseUnavailable(error) && !isDatabaseTooSlow(error)) throw error
    log.warn({ err: error }, 'payouts and refunds without an answer could not be counted')
    return []
  }
}

// The whole minute after the moment, since looking and sending take a few seconds.
function minuteText(moment: Date): string {
  const minuteMs = 60_000
  const end = new Date((Math.floor(moment.getTime() / minuteMs) + 1) * minuteMs)
  return `${end.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

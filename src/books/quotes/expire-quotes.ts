// Unanswered quotes expire after their last day, in the organisation's time zone.

import { addDays } from '../../kernel/basics/calendar.ts'
import { defineSchedule } from '../../kernel/jobs/schedule.ts'
import type { BooksContext } from '../context.ts'
import { today } from '../settings/organisation.ts'
import { findOrganisation } from '../settings/organisation-store.ts'
import { changeQuote, requireStatus } from './change-quote.ts'
import { listQuotesPastExpiry } from './quote-store.ts'

const batchSize = 100

export const expireQuotesSchedule = defineSchedule({
  name: 'expire-quotes',
  everySeconds: 15 * 60,
  run: (context: BooksContext, signal) => expireQuotes(context, signal),
})

async function expireQuotes(context: BooksContext, signal: AbortSignal): Promise<void> {
  const { database, clock, log } = context
  const now = clock.now()
  // It may already be tomorrow: the furthest zone is fourteen hours ahead.
  const latest = addDays(now.toISOString().slice(0, 10), 1)
  const due = await listQuotesPastExpiry(database.sql, latest, batchSize)
  for (const { id, expiryDate, ...tenant } of due) {
    if (signal.aborted) return
    const organisation = await findOrganisation(database.sql, tenant)
    if (expiryDate >= today(organisation, now)) continue
    const actor = { ...tenant, kind: 'system', name: 'expire quotes' } as const
    try {
      await changeQuote(context, actor, id, 'quote.expire', async (_tx, quote) => {
        requireStatus(quote, ['sent'], 'It was answered meanwhile.')
        return { status: 'expired' }
      })
    } catch (error) {
      // It is due again in the next run. The others must not wait for this one.
      log.error({ quoteId: id, err: error }, 'a quote could not be expired')
    }
  }
}

// The audit log in words: no internal name is shown.
import { expect, it } from 'vitest'
import { actTitle } from '../../../src/web/components/act-text.ts'

it.each([
  ['item.create', 'Item created'],
  ['tax_code.update', 'Tax code changed'],
  ['webhook.switch_off', 'Webhook endpoint switched off'],
  ['quote.send', 'Quote sent'],
  ['lead.win', 'Lead won'],
  ['document.write_off', 'Document written off'],
  ['verification.apply', 'Verification applied'],
  // Named by itself.
  ['payout.create', 'Payout requested'],
  ['approval.approve', 'Request approved'],
])('%s is called “%s”', (action, title) => {
  expect(actTitle({ action })).toBe(title)
})

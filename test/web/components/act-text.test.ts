// The audit log in words: no internal name is shown.
import { expect, it } from 'vitest'
import type { NamedAct } from '../../../src/kernel/auth/name-actors.ts'
import { actorText, actTitle } from '../../../src/web/components/act-text.ts'
import { actHappening } from '../../../src/web/documents/document-happenings.tsx'
import type { Visit } from '../../../src/web/shell/visit.ts'

it('names neither the act nor the part of Tillbook that did it', () => {
  const act = { action: 'document_file.keep', actorKind: 'system', actorId: 'draw-document' }
  const rest = { at: new Date(0), actorName: null, objectKind: 'invoice', objectId: '' }
  const named = { ...act, ...rest, detail: {} } as unknown as NamedAct
  const { title, detail } = actHappening({} as Visit, named)
  expect([title, detail]).toEqual(['PDF stored', 'By Tillbook'])
})

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

it('tells the operator of the server from what happens by itself', () => {
  const by = (actorId: string) => actorText({ actorKind: 'system', actorId, actorName: null })
  expect(by('cli keys revoke')).toBe('The operator of the server')
  expect(by('renew-subscriptions')).toBe('Tillbook')
})

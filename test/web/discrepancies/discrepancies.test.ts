// Discrepancies in the application read as plain words.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { recordDiscrepancy } from '../../../src/merchant/discrepancies/record-discrepancy.ts'
import { causeText } from '../../../src/web/discrepancies/discrepancy-text.tsx'
import { appVisitor } from '../../support/app-visitor.ts'
import { shop } from '../../support/payments.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()

const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')

it('says what differs, with amounts as people read them', async () => {
  const { tenant } = await shop(world())
  const { context, database } = world()
  const found = (cause: string, objectKind: string, detail: Record<string, string | null>) =>
    database.transaction((tx) =>
      recordDiscrepancy(tx, context, tenant, {
        ...{ id: context.ids.uuid(), cause, objectKind, objectId: context.ids.uuid(), detail },
        createdAt: context.clock.now(),
      }),
    )
  await found('underpayment', 'payment', {
    transaction_id: '4711',
    amount: '4500.5',
    currency: 'USD',
    expected_minor: '500000',
    expected_currency: 'NGN',
  })
  await found('refund_unresolved', 'refund', {
    paymentId: '01a1e2fb-222f-70e2-8bb2-de5326224240',
    amountMinor: '12345',
    currency: 'NGN',
    since: '2026-01-20T10:00:00.000Z',
    failureReason: null,
  })
  const viewer = await appVisitor(world(), tenant.businessId, 'viewer')
  const { text } = await viewer.get('/discrepancies')
  const words = textOf(text)
  expect(words).toContain('Paid too little')
  expect(words).toMatch(/We expected .{0,6}5,000\.00/)
  expect(words).toMatch(/The provider reports .{0,6}4,500\.50/)
  expect(words).toContain('The provider’s transaction 4711')
  expect(words).toMatch(/Refund Amount .{0,6}123\.45 Open since 20 Jan 2026/)
  expect(text).toContain('/payments/01a1e2fb-222f-70e2-8bb2-de5326224240')
  expect(words).not.toMatch(/expected_minor|amountMinor|failureReason/)
  // Who resolves one sees what it is about.
  const owner = await appVisitor(world(), tenant.businessId)
  const [, resolve = ''] =
    /href="\/b\/[^/]+([^"]*\/resolve)"/.exec((await owner.get('/discrepancies')).text) ?? []
  expect(textOf((await owner.get(resolve)).text)).toMatch(/Paid too little We expected .*5,000\.00/)
})

it('has words for every cause that the ledger’s page names', () => {
  const [, table = ''] = readFileSync('docs/ledger.md', 'utf8').split('## Discrepancies')
  const rows = [...table.matchAll(/^\| (`.*?`) \|/gm)].map(([, names = '']) => names)
  const causes = rows.flatMap((names) => [...names.matchAll(/`([a-z_]+)`/g)].map(([, one]) => one))
  expect(causes).toContain('refund_found_late')
  for (const cause of causes) {
    const spelled = (cause ?? '').replaceAll('_', ' ')
    expect(causeText(cause ?? '').toLowerCase(), cause).not.toBe(spelled)
  }
})

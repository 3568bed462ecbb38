// Guards against money that is on clearing twice, and against broken books.

import { beforeEach, expect, it } from 'vitest'
import { createAccount } from '../../../src/books/accounts/create-account.ts'
import { issueDocument } from '../../../src/books/documents/issue-document.ts'
import { voidDocument } from '../../../src/books/documents/void-document.ts'
import { bookLinkPayment } from '../../../src/books/service-money/book-link-payment.ts'
import { linkInvoice } from '../../../src/books/service-money/link-invoice.ts'
import { setServiceMoney } from '../../../src/books/service-money/set-service-money.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { newBooks } from '../../support/documents.ts'
import { brokenInvariants } from '../../support/invariants.ts'
import { refusal } from '../../support/refusal.ts'
import { amountOn, booked } from '../../support/service-money.ts'
import { type SettlingBooks, settlingBooks } from '../../support/settling.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
let books: SettlingBooks

beforeEach(async () => {
  books = await settlingBooks(world())
})

async function paid(offerText: string | null = null): Promise<string> {
  const objectId = world().context.ids.uuid()
  const money = { heldMinor: 9710n, feeMinor: 290n }
  const ids = { objectId, paymentId: objectId }
  await booked(world(), books.tenant, { kind: 'collected', ...money, ...ids, offerText })
  return objectId
}

it('a payment that has booked itself is not booked by hand as well', async () => {
  const documentId = await books.document({
    contactId: await books.contact(),
    totalMinor: 10_000n,
  })
  const told = {
    externalId: await paid(),
    documentId,
    date: '2026-01-20',
    currency: 'EUR',
    amount: '100',
    fee: '2.90',
  }
  await expect(
    runOperation(bookLinkPayment, world().context, books.owner, told),
  ).rejects.toMatchObject({
    kind: 'conflict',
  })
  expect(await amountOn(world(), books.tenant, '1150', 'EUR')).toBe(9710n)
  // Another, under whatever name it was given.
  await runOperation(bookLinkPayment, world().context, books.owner, {
    ...told,
    externalId: 'till-7',
  })
  expect(await amountOn(world(), books.tenant, '1150', 'EUR')).toBe(19_420n)
})

it('a long text of a link is cut between letters', async () => {
  await paid(`${'x'.repeat(490)}\u{1f600} and more`)
  // The chain of hashes; other invariants know of events that the fixtures do not write.
  expect(await brokenInvariants(world().database)).not.toContain('I14.3')
})

it('an invoice is linked when it is in the books', async () => {
  const { context } = world()
  const made = await newBooks(world())
  const { id: documentId } = await made.draft('invoice')
  const link = () =>
    runOperation(linkInvoice, context, made.owner, { offerId: context.ids.uuid(), documentId })
  expect(await refusal(link())).toBe('The invoice is not issued. Issue it first.')
  const { number } = await runOperation(issueDocument, context, made.owner, { id: documentId })
  await link()
  await runOperation(voidDocument, context, made.owner, { id: documentId })
  expect(await refusal(link())).toBe(`${number} is void.`)
})

it.each(['unassignedAccountId', 'shareAccountId', 'payoutAccountId'])(
  'an account that is kept in its own currency is refused as %s',
  async (field) => {
    const { context } = world()
    const { id } = await runOperation(createAccount, context, books.owner, {
      ...{ code: '1020', name: 'Dollars', type: 'asset', subtype: 'bank', currency: 'USD' },
    })
    expect(
      await refusal(runOperation(setServiceMoney, context, books.owner, { [field]: id })),
    ).toBe('1020 Dollars is kept in USD. Choose one in the base currency.')
  },
)

it.each(['unassignedAccountId', 'shareAccountId'])('clearing is refused as %s', async (field) => {
  const clearing = { [field]: books.accountId('1150') }
  await expect(
    runOperation(setServiceMoney, world().context, books.owner, clearing),
  ).rejects.toMatchObject({
    kind: 'invalid_request',
  })
})

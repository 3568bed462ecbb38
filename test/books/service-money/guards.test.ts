// What would put money on clearing twice, or break the books for good.
import { beforeEach, expect, it } from 'vitest'
import { bookByHand } from '../../../src/books/service-money/book-by-hand.ts'
import { setServiceMoney } from '../../../src/books/service-money/set-service-money.ts'
import { brokenInvariants } from '../../support/invariants.ts'
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
    amountMinor: 10_000n,
    feeMinor: 290n,
  }
  await expect(bookByHand(world().context, books.owner, told)).rejects.toMatchObject({
    kind: 'conflict',
  })
  expect(await amountOn(world(), books.tenant, '1150', 'EUR')).toBe(9710n)
  // Another, under whatever name it was given.
  await bookByHand(world().context, books.owner, { ...told, externalId: 'till-7' })
  expect(await amountOn(world(), books.tenant, '1150', 'EUR')).toBe(19_420n)
})

it('a long text of a link is cut between letters', async () => {
  await paid(`${'x'.repeat(490)}\u{1f600} and more`)
  // The chain of hashes; other invariants know of events that the fixtures do not write.
  expect(await brokenInvariants(world().database)).not.toContain('I14.3')
})

it.each(['unassignedAccountId', 'shareAccountId'])('clearing is refused as %s', async (field) => {
  const clearing = { [field]: books.accountId('1150') }
  await expect(setServiceMoney(world().context, books.owner, clearing)).rejects.toMatchObject({
    kind: 'invalid_request',
  })
})

import { expect, it } from 'vitest'
import { recordPayment } from '../../src/books/payments/record-payment.ts'
import { linkInvoice } from '../../src/books/service-money/link-invoice.ts'
import { runOperation } from '../../src/kernel/operations/run-operation.ts'
import { newLink, pressPay, shop } from '../support/payments.ts'
import { settlingBooks } from '../support/settling.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
const view = (path: string) => world().call('GET', path)

it('the page of a link says that its invoice is paid', async () => {
  const books = await settlingBooks(world())
  const { owner: actor, tenant } = books
  const contactId = await books.contact()
  const documentId = await books.document({ contactId, totalMinor: 10_000n })
  const { number } = await books.find(documentId)
  const owner = await shop(world(), tenant)
  const euro = { currency: 'EUR', amount: 100 }
  const linked = await newLink(world(), owner, { ...euro, title: 'Chairs', amount: 50 })
  const named = await newLink(world(), owner, { ...euro, title: `Invoice ${number}` })
  const other = await newLink(world(), owner, { ...euro, title: `Tip for ${number}`, amount: 5 })
  const { body } = await world().call('POST', '/merchant/api/v1/payment-links', {
    key: owner.key,
    body: { ...euro, title: 'Deposit' },
  })
  for (const path of [linked, named, other]) expect((await view(path)).status).toBe(200)
  const { context } = world()
  await runOperation(linkInvoice, context, actor, { offerId: body.id, documentId })
  const deposit = new URL(body.url).pathname
  expect((await view(deposit)).status).toBe(200)
  await runOperation(recordPayment, context, actor, {
    ...{ direction: 'in', contactId, date: '2026-01-20', currency: 'EUR', amount: '100.00' },
    accountId: books.accountId('1000'),
    allocations: [{ itemId: documentId, amount: '100.00' }],
  })
  for (const path of [named, deposit]) {
    const { status, text } = await view(path)
    expect([status, text.includes('This invoice is paid')]).toEqual([410, true])
    expect((await pressPay(world(), path)).status).toBe(410)
  }
  for (const path of [linked, other]) expect((await view(path)).status).toBe(200)
})

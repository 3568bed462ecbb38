// A business that creates invoices over the interface, and the rows that this writes.
import { manualClock } from './clock.ts'
import { type Books, newBooks } from './documents.ts'
import { useContract } from './openapi.ts'
import type { CallOptions } from './world.ts'

export const invoicesPath = '/books/api/v1/invoices'

export const invoiceLine = { description: 'Work', unit_price: 100 }

export const nothingWritten = { documents: 0, lines: 0, events: 0, acts: 0, keys: 0 }

export function useInvoiceShop() {
  const clock = manualClock(new Date('2026-03-01T23:30:00.000Z'))
  const { world, call } = useContract({ clock })
  return {
    world,
    call,
    async shop(options: Parameters<typeof newBooks>[1] = {}) {
      const books = await newBooks(world(), options)
      const key = await books.key()
      const customer = await books.contact()
      const post = (body: object, more: Partial<CallOptions> = {}) =>
        call('POST', invoicesPath, { key, body: { contact_id: customer.id, ...body }, ...more })
      return { ...books, key, customer, post }
    },
    async written({ businessId }: Pick<Books, 'businessId'>) {
      const [row] = await world().database.sql`
        select
          (select count(*)::int from books.documents where business_id = ${businessId})
            as documents,
          (select count(*)::int from books.document_lines where business_id = ${businessId})
            as lines,
          (select count(*)::int
           from kernel.events
           where business_id = ${businessId}
             and type = 'invoice.created') as events,
          (select count(*)::int
           from kernel.audit_log
           where business_id = ${businessId}
             and action = 'invoice.create') as acts,
          (select count(*)::int
           from kernel.idempotency_keys
           where business_id = ${businessId}) as keys`
      return row
    },
  }
}

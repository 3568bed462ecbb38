// Tests of reading one document, for both sides of the books.
import { describe, expect, it } from 'vitest'
import type { DocumentKind } from '../../src/books/documents/document-status.ts'
import { newBooks } from './documents.ts'
import { useContract } from './openapi.ts'

export type DocumentReads = {
  readonly path: string
  // What a message calls it.
  readonly name: string
  readonly kinds: readonly [DocumentKind, ...DocumentKind[]]
  // Those of the other side, which are not there.
  readonly others: readonly DocumentKind[]
}

export function describeDocumentReads({ path, name, kinds, others }: DocumentReads): void {
  const { world, call } = useContract()

  describe('200', () => {
    it.each(kinds)('shows one of the kind %s with its lines', async (kind) => {
      const books = await newBooks(world())
      const vat = await books.taxCode('20')
      const lines = ['First', 'Second'].map((description) => ({
        description,
        unitPrice: '12.5',
        taxCodeId: vat.id,
      }))
      const { id } = await books.draft(kind, { lines, reference: 'R-1' })
      const { status, body } = await call('GET', `${path}/${id}`, {
        key: await books.key(['read']),
      })
      expect(status).toBe(200)
      expect(body).toMatchObject({
        id,
        kind,
        number: null,
        status: 'draft',
        reference: 'R-1',
        subtotal: 25,
        tax_total: 5,
        total: 30,
        amount_paid: 0,
        amount_credited: 0,
      })
      expect(body.lines).toMatchObject([
        { position: 1, description: 'First', quantity: 1, unit_price: 12.5, net: 12.5, tax: 2.5 },
        { position: 2, description: 'Second', tax_code_id: vat.id, gross: 15 },
      ])
    })
  })

  describe('404', () => {
    it.each(others)('is the answer to the id of a document of the kind %s', async (kind) => {
      const books = await newBooks(world())
      const { id } = await books.draft(kind)
      const { status, body } = await call('GET', `${path}/${id}`, { key: await books.key() })
      expect(status).toBe(404)
      expect(body.error).toBe(`No such ${name}.`)
    })

    it('is the answer to what is no one’s, or another organisation’s', async () => {
      const books = await newBooks(world())
      const other = await newBooks(world())
      const key = await books.key()
      for (const id of [(await other.draft(kinds[0])).id, world().context.ids.uuid(), 'none']) {
        expect((await call('GET', `${path}/${id}`, { key })).status).toBe(404)
      }
    })
  })
}

// Drafts: entered, edited and thrown away.
import { describe, expect, it } from 'vitest'
import { approveDocument } from '../../../src/books/documents/approve-document.ts'
import { createDocument } from '../../../src/books/documents/create-document.ts'
import { discardDocument } from '../../../src/books/documents/discard-document.ts'
import { editDocument } from '../../../src/books/documents/edit-document.ts'
import { manualClock } from '../../support/clock.ts'
import { newBooks } from '../../support/documents.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld({ clock: manualClock(new Date('2026-03-01T12:00:00.000Z')) })
const context = () => world().context

describe('editing', () => {
  it('prices everything anew and replaces the lines', async () => {
    const books = await newBooks(world())
    const draft = await books.draft()
    const lines = [
      { description: 'A', unit_price: '1' },
      { description: 'B', unit_price: '2', quantity: '3' },
    ]
    const { document, lines: after } = await editDocument(context(), books.owner, draft.id, 1, {
      contact_id: draft.contactId,
      lines,
    })
    expect(document).toMatchObject({ totalMinor: 700n, version: 2, status: 'draft' })
    expect(after.map(({ position, description }) => [position, description])).toEqual([
      [1, 'A'],
      [2, 'B'],
    ])
  })

  it('is refused to whoever has not seen the newest version', async () => {
    const books = await newBooks(world())
    const draft = await books.draft()
    const form = { contact_id: draft.contactId, lines: [{ description: 'A', unit_price: '1' }] }
    await editDocument(context(), books.owner, draft.id, 1, form)
    await expect(editDocument(context(), books.owner, draft.id, 1, form)).rejects.toThrow(
      'Somebody else has changed it meanwhile.',
    )
  })
})

describe('discarding', () => {
  it('voids a draft without a number and tells whoever made it', async () => {
    const books = await newBooks(world())
    const draft = await books.draft()
    const discarded = await discardDocument(context(), books.owner, draft.id)
    expect(discarded).toMatchObject({ status: 'void', number: null })
    const events = await world().database.sql`
      select type
      from kernel.events
      where object_id = ${draft.id}
      order by id`
    expect(events.map(({ type }) => type)).toEqual(['invoice.created', 'invoice.voided'])
  })
})

describe('entering a bill', () => {
  it('warns of the same reference of the same supplier', async () => {
    const books = await newBooks(world())
    const contact_id = (await books.contact()).id
    const line = { description: 'Rent', unit_price: '5', account_id: books.account('6350') }
    const enter = (fields: object = {}) =>
      createDocument(context(), books.owner, 'bill', {
        contact_id,
        reference: 'R-1',
        lines: [line],
        ...fields,
      })
    const first = await enter()
    expect(first.warnings).toEqual([])
    expect((await enter()).warnings).toEqual([
      'The reference R-1 of this supplier is on a draft of 2026-03-01 already.',
    ])
    await approveDocument(context(), books.owner, first.document.id)
    const { id: otherId } = await books.contact()
    expect((await enter({ contact_id: otherId })).warnings).toEqual([])
    expect((await enter({ reference: 'R-2' })).warnings).toEqual([])
  })
})

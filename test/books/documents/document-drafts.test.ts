// Drafts: created, edited and discarded.

import { describe, expect, it } from 'vitest'
import { approveDocument } from '../../../src/books/documents/approve-document.ts'
import { createDocument } from '../../../src/books/documents/create-document.ts'
import { discardDocument } from '../../../src/books/documents/discard-document.ts'
import { editDocument } from '../../../src/books/documents/edit-document.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
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
      { description: 'A', unitPrice: '1' },
      { description: 'B', unitPrice: '2', quantity: '3' },
    ]
    const edited = await runOperation(editDocument, context(), books.owner, {
      id: draft.id,
      version: 1,
      contactId: draft.contactId,
      lines,
    })
    expect(edited).toMatchObject({ totalMinor: 700n, version: 2, status: 'draft' })
    expect(edited.lines.map(({ position, description }) => [position, description])).toEqual([
      [1, 'A'],
      [2, 'B'],
    ])
  })

  it('is refused if the person has not seen the newest version', async () => {
    const books = await newBooks(world())
    const draft = await books.draft()
    const form = { contactId: draft.contactId, lines: [{ description: 'A', unitPrice: '1' }] }
    await runOperation(editDocument, context(), books.owner, { id: draft.id, version: 1, ...form })
    await expect(
      runOperation(editDocument, context(), books.owner, { id: draft.id, version: 1, ...form }),
    ).rejects.toThrow('Someone else has changed it meanwhile.')
  })
})

describe('discarding', () => {
  it('voids a draft without a number and sends an event', async () => {
    const books = await newBooks(world())
    const draft = await books.draft()
    const discarded = await runOperation(discardDocument, context(), books.owner, { id: draft.id })
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
    const contactId = (await books.contact()).id
    const line = { description: 'Rent', unitPrice: '5', accountId: books.account('6350') }
    const enter = (fields: object = {}) =>
      runOperation(createDocument, context(), books.owner, {
        kind: 'bill',
        contactId,
        reference: 'R-1',
        lines: [line],
        ...fields,
      })
    const first = await enter()
    expect(first.warnings).toEqual([])
    expect((await enter()).warnings).toEqual([
      'The reference R-1 of this supplier is already on a draft of 2026-03-01.',
    ])
    await runOperation(approveDocument, context(), books.owner, { id: first.id })
    const { id: otherId } = await books.contact()
    expect((await enter({ contactId: otherId })).warnings).toEqual([])
    expect((await enter({ reference: 'R-2' })).warnings).toEqual([])
  })
})

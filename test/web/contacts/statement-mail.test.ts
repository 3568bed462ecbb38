// The statement of a contact as PDF and by mail.
import { expect, it } from 'vitest'
import { issueDocument } from '../../../src/books/documents/issue-document.ts'
import { updateOrganisation } from '../../../src/books/settings/update-organisation.ts'
import { runOperation } from '../../../src/kernel/operations/run-operation.ts'
import { appVisitor } from '../../support/app-visitor.ts'
import { newBooks } from '../../support/documents.ts'
import { textIn } from '../../support/pdf.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()

it('mails the statement of a period with its PDF, and asks for an address', async () => {
  const books = await newBooks(world())
  const owner = await appVisitor(world(), books.businessId, 'owner')
  await runOperation(updateOrganisation, world().context, books.owner, { taxNumber: 'T-1' })
  const { id } = await books.contact({ name: 'Ada Ltd', language: 'fr' })
  const today = new Date().toISOString().slice(0, 10)
  const draft = await books.draft('invoice', { contactId: id, date: today })
  await runOperation(issueDocument, world().context, books.owner, { id: draft.id })
  const path = `/contacts/${id}/statement`
  expect((await owner.get(`${path}.pdf`)).status).toBe(200)
  const fields = { from: today, to: today, recipients: '' }
  const refused = await owner.submit(`${path}/send`, fields)
  expect(refused.text).toContain('Ada Ltd has no e-mail address.')
  const sent = await owner.submit(`${path}/send`, { ...fields, recipients: 'ada@x.example' })
  expect(sent.status).toBe(303)
  const mails = await world().database.sql<{ subject: string; body: string; content: Buffer }[]>`
    select mail.subject, mail.body_text as body, attached.content
    from kernel.mails as mail
    join kernel.mail_attachments as attached
      on attached.mail_id = mail.id
    where mail.business_id = ${books.businessId}`
  expect(mails).toHaveLength(1)
  expect(mails[0]?.subject).toMatch(/^Relevé de /)
  expect(mails[0]?.body).toContain('100,00')
  const text = textIn(mails[0]?.content ?? Buffer.alloc(0))
  expect(text).toContain('Facture INV-')
  expect(text).toContain('Page 1 sur 1')
  expect(text).toContain('Numéro fiscal T-1')
  expect(text).not.toMatch(/Page 1 of|Tax number/)
})

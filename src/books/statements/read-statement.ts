// The statement of a contact with the language in which it is told.
import type { Actor } from '../../kernel/auth/actor.ts'
import type { PayerLanguage } from '../../payer-texts/payer-language.ts'
import { type ContactStatement, getContactStatement } from '../contacts/get-contact-statement.ts'
import type { BooksContext } from '../context.ts'
import { languageOfContact } from '../reminders/gather-reminder.ts'
import { findOrganisation } from '../settings/organisation-store.ts'

type Wanted = {
  readonly id: string
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export async function readStatement(
  context: Parameters<typeof getContactStatement.run>[0] & BooksContext,
  actor: Actor,
  wanted: Wanted,
): Promise<{ readonly statement: ContactStatement; readonly language: PayerLanguage }> {
  const [statement, organisation] = await Promise.all([
    getContactStatement.run(context, actor, wanted),
    findOrganisation(context.database.sql, actor),
  ])
  return { statement, language: languageOfContact(organisation, statement.contact) }
}

// The statement of a contact with the language in which it is told.
import type { Tenant } from '../../kernel/basics/tenant.ts'
import type { PayerLanguage } from '../../payer-texts/payer-language.ts'
import {
  type ContactStatement,
  readContactStatement,
  type WantedStatement,
} from '../contacts/get-contact-statement.ts'
import type { BooksContext } from '../context.ts'
import { languageOfContact } from '../reminders/gather-reminder.ts'
import { findOrganisation } from '../settings/organisation-store.ts'

export type ReadStatement = {
  readonly statement: ContactStatement
  readonly language: PayerLanguage
}

export async function readStatement(
  context: BooksContext,
  tenant: Tenant,
  wanted: WantedStatement,
): Promise<ReadStatement> {
  const [statement, organisation] = await Promise.all([
    readContactStatement(context, tenant, wanted),
    findOrganisation(context.database.sql, tenant),
  ])
  return { statement, language: languageOfContact(organisation, statement.contact) }
}

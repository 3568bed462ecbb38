// What two contacts have, for the person who decides whether they are one.
import { z } from 'zod'
import type { Actor } from '../../kernel/auth/actor.ts'
import { invalidField, notFound } from '../../kernel/basics/fault.ts'
import type { Sql } from '../../kernel/db/database.ts'
import { everyRole } from '../../kernel/operations/permission.ts'
import { uuid } from '../../kernel/operations/schemas.ts'
import { defineOperation } from '../context.ts'
import { type Contact, type MergeableField, mergeableFields } from './contact.ts'
import { findContact } from './contact-store.ts'
import { type ContactBalance, readBalances } from './get-contact.ts'
import { type ContactUse, findContactUse } from './merged-contact-store.ts'

type Side = {
  readonly contact: Contact
  readonly balances: readonly ContactBalance[]
  readonly use: ContactUse
}

export type MergePreview = {
  readonly merged: Side
  readonly kept: Side
  // Fields that the merged contact has and that are different on the kept one.
  readonly differences: readonly MergeableField[]
}

export const previewContactMerge = defineOperation({
  name: 'preview-contact-merge',
  summary: 'Compare two contacts before they are merged',
  kind: 'read',
  input: z.strictObject({ id: uuid(), intoId: uuid() }),
  scopes: [],
  roles: everyRole,
  async run({ database: { sql } }, actor, { id, intoId }): Promise<MergePreview> {
    const [merged, kept] = await Promise.all([sideOf(sql, actor, id), sideOf(sql, actor, intoId)])
    if (!merged) throw notFound('contact')
    if (!kept) throw invalidField('intoId', 'No such contact.')
    if (merged.contact.id === kept.contact.id) {
      throw invalidField('intoId', 'Both are one contact already.')
    }
    const differences = mergeableFields.filter((field) => {
      const value = merged.contact[field]
      return value !== null && value !== kept.contact[field]
    })
    return { merged, kept, differences }
  },
})

async function sideOf(sql: Sql, actor: Actor, id: string): Promise<Side | undefined> {
  const contact = await findContact(sql, actor, id)
  if (!contact) return undefined
  const [balances, use] = await Promise.all([
    readBalances(sql, actor, id),
    findContactUse(sql, actor, id),
  ])
  return { contact, balances, use }
}

// What people do with contacts.
import type { Operation } from '../../kernel/operations/operation.ts'
import type { BooksContext } from '../context.ts'
import { createContact } from './create-contact.ts'
import { getContact } from './get-contact.ts'
import { getContactStatement } from './get-contact-statement.ts'
import { listContacts } from './list-contacts.ts'
import { mergeContacts } from './merge-contacts.ts'
import { previewContactMerge } from './preview-contact-merge.ts'
import { undoContactMerge } from './undo-contact-merge.ts'
import { updateContact } from './update-contact.ts'

export const contactOperations: readonly Operation<BooksContext>[] = [
  createContact,
  updateContact,
  mergeContacts,
  undoContactMerge,
  getContact,
  getContactStatement,
  previewContactMerge,
  listContacts,
]

// From the first interest to the document in the books.
import { z } from 'zod'
import { validated } from '../../kernel/operations/validate.ts'
import { approvalInput, approveDocument } from '../documents/approve-document.ts'
import { createDocument } from '../documents/create-document.ts'
import { discardDocument } from '../documents/discard-document.ts'
import { documentForm } from '../documents/document-input.ts'
import { documentKinds } from '../documents/document-status.ts'
import { editDocument } from '../documents/edit-document.ts'
import { issueDocument, issueInput } from '../documents/issue-document.ts'
import { reopenDocument } from '../documents/reopen-document.ts'
import { returnDocument, returnInput } from '../documents/return-document.ts'
import { documentSendInput, markDocumentSent, sendDocument } from '../documents/send-document.ts'
import { submitDocument } from '../documents/submit-document.ts'
import { voidDocument, voidInput } from '../documents/void-document.ts'
import { withdrawDocument } from '../documents/withdraw-document.ts'
import {
  createLead,
  editLead,
  leadInput,
  leadLossInput,
  leadMoveInput,
  leadWinInput,
  loseLead,
  moveLead,
  winLead,
} from '../leads/manage-leads.ts'
import { invoiceQuote } from '../quotes/invoice-quote.ts'
import { quoteUrl } from '../quotes/quote.ts'
import { quoteSendInput, reviseQuote, sendQuote } from '../quotes/send-quote.ts'
import { createQuote, editQuote, quoteForm } from '../quotes/write-quote.ts'
import { type BooksOperation, defineOperation, defineOperationOn } from './operation.ts'

const createdDocument = z.strictObject({ kind: z.enum(documentKinds), ...documentForm.shape })
const editedDocument = z.strictObject({ version: z.int(), ...documentForm.shape })
// What is asked here; the operation looks at the rest.
const kindAndMore = createdDocument.pick({ kind: true }).loose()
const versionAndMore = editedDocument.pick({ version: true }).loose()
const idAlone = z.strictObject({})

type DocumentForm = z.input<typeof documentForm>

export const documentOperations = {
  'create-document': defineOperation(
    'Enter a draft of the given kind',
    createdDocument,
    (context, actor, input) => {
      const { kind, ...rest } = validated(kindAndMore, input)
      return createDocument(context, actor, kind, rest as DocumentForm)
    },
  ),
  'edit-document': defineOperationOn(
    'Change a draft; its version says which one was looked at',
    editedDocument,
    (context, actor, id, input) => {
      const { version, ...rest } = validated(versionAndMore, input)
      return editDocument(context, actor, id, version, rest as DocumentForm)
    },
  ),
  'submit-document': defineOperationOn(
    'Hand a draft to whoever approves it',
    idAlone,
    submitDocument,
  ),
  'withdraw-document': defineOperationOn(
    'Take back what waits for approval',
    idAlone,
    withdrawDocument,
  ),
  'return-document': defineOperationOn(
    'Give a submitted document back, with the reason',
    returnInput,
    returnDocument,
  ),
  'approve-document': defineOperationOn(
    'Approve a document; a purchase enters the books',
    approvalInput,
    approveDocument,
  ),
  'reopen-document': defineOperationOn(
    'Make a draft of an approved sale again',
    idAlone,
    reopenDocument,
  ),
  'issue-document': defineOperationOn(
    'Issue a sale: it gets its number and enters the books',
    issueInput,
    issueDocument,
  ),
  'send-document': defineOperationOn(
    'Mail an issued document with its PDF',
    documentSendInput,
    sendDocument,
  ),
  'mark-document-sent': defineOperationOn(
    'Say that a document was sent otherwise',
    idAlone,
    markDocumentSent,
  ),
  'void-document': defineOperationOn(
    'Take a document out of the books again',
    voidInput,
    voidDocument,
  ),
  'discard-document': defineOperationOn(
    'Throw away what is not in the books yet',
    idAlone,
    discardDocument,
  ),
  'create-quote': defineOperation('Write a quote', quoteForm, createQuote),
  'edit-quote': defineOperationOn('Change the draft of a quote', quoteForm, editQuote),
  'send-quote': defineOperationOn(
    'Send a quote to its customer, and say where its page is',
    quoteSendInput,
    async (context, actor, id, input) => {
      const quote = await sendQuote(context, actor, id, input)
      return { ...quote, url: quoteUrl(context.publicUrl, actor, quote) }
    },
  ),
  'revise-quote': defineOperationOn(
    'Take a quote back to send a new version',
    idAlone,
    reviseQuote,
  ),
  'invoice-quote': defineOperationOn(
    'Make a draft invoice of an accepted quote',
    idAlone,
    invoiceQuote,
  ),
  'create-lead': defineOperation('Note somebody who may buy', leadInput, createLead),
  'edit-lead': defineOperationOn('Change a lead', leadInput, editLead),
  'move-lead': defineOperationOn('Move a lead a step on or back', leadMoveInput, moveLead),
  'win-lead': defineOperationOn('Mark a lead won', leadWinInput, winLead),
  'lose-lead': defineOperationOn('Mark a lead lost', leadLossInput, loseLead),
} as const satisfies Readonly<Record<string, BooksOperation>>

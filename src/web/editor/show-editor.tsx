// The page of the editor, for a new document or a draft: what is in the fields after each answer of
// the server, and what goes to the operation.
import type { ComponentChildren } from 'preact'
import type { DocumentLine } from '../../books/documents/document.ts'
import type { DocumentSide } from '../../books/documents/document-status.ts'
import { type EditorFacts, getEditorFacts } from '../../books/documents/get-editor-facts.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import { PageHeader } from '../components/page-header.tsx'
import type { Draft, Shown } from '../shell/define-page.ts'
import { tokenField } from '../shell/token-field.ts'
import type { Visit } from '../shell/visit.ts'
import { applyStep, completeState, inputOf, problemsByField } from './editor-input.ts'
import { blankLine, type EditorState, type LineState, readState } from './editor-state.ts'
import { Editor, type EditorProps } from './editor-view.tsx'
import { readLookups } from './lookups.ts'

type Wanted = Pick<
  EditorProps,
  | 'hidden'
  | 'untilLabel'
  | 'hasRate'
  | 'autosaveHref'
  | 'files'
  | 'moreFields'
  | 'hasDates'
  | 'saveLabel'
> & {
  title: string
  back: { href: string; text: string }
  side: DocumentSide
  // Undefined for a new one.
  stored?: Stored
  notice?: ComponentChildren
  // Beside the fields, where there is room.
  aside?: ComponentChildren
  below?: ComponentChildren
  buttons?: ComponentChildren
}

type Named = { readonly contacts: readonly string[]; readonly items: readonly string[] }

function readFacts(visit: Visit, side: DocumentSide, named: Named): Promise<EditorFacts> {
  const some = (names: readonly string[]) =>
    [...new Set(names.filter((name) => name.trim() !== ''))].slice(0, namesMax)
  const [contacts, items] = [some(named.contacts), some(named.items)]
  return visit.run(getEditorFacts, { side, contacts, items })
}

// Far more than a document has.
const namesMax = 1000

function namedBy(visit: Visit, { values }: Draft, stored: Stored | undefined): Named {
  if (values.has(tokenField)) return namedIn(values)
  if (!stored) return { contacts: [visit.query.get('contact') ?? ''], items: [] }
  const { contactId, lines } = stored.paper
  return { contacts: [contactId], items: lines.map(({ itemId }) => itemId ?? '') }
}

function namedIn(form: URLSearchParams): Named {
  const { contact, lines } = readState(form)
  return { contacts: [contact], items: lines.map(({ item }) => item) }
}

export async function showEditor(visit: Visit, draft: Draft, wanted: Wanted): Promise<Shown> {
  const { title, back, side, stored, aside, below, ...props } = wanted
  const facts = await readFacts(visit, side, namedBy(visit, draft, stored))
  const state = stateOf(visit, draft, facts, stored)
  const editor = (
    <Editor
      {...props}
      draft={draft}
      problems={problemsByField(draft.problems)}
      state={state.lines.length === 0 ? { ...state, lines: [blankLine] } : state}
      facts={facts}
      choicesHref={visit.href(`/choices/${side}`)}
      contactLabel={side === 'sales' ? 'Customer' : 'Supplier'}
      cancelHref={back.href}
    />
  )
  return {
    title,
    script: 'document-editor.js',
    content: (
      <>
        <PageHeader title={title} back={back} />
        {aside ? (
          <div class="beside">
            {editor}
            {aside}
          </div>
        ) : (
          editor
        )}
        {below && <div class="mt-4">{below}</div>}
      </>
    ),
  }
}

function stateOf(
  visit: Visit,
  { values }: Draft,
  facts: EditorFacts,
  stored: Wanted['stored'],
): EditorState {
  if (values.has(tokenField)) {
    const step = values.get('step')
    const typed = readState(values)
    if (step === null) return completeState(typed, facts)
    const completed = completeState({ ...typed, lines: typed.lines }, facts)
    // Blank lines stay while a person adds, moves and removes them.
    return step === 'refresh' ? completed : applyStep(typed, step)
  }
  if (stored) return storedState(stored, facts)
  const contactId = visit.query.get('contact')
  return {
    ...emptyState,
    contact: readLookups(facts).contacts.labelOf(contactId),
    date: facts.today,
    lines: [blankLine, blankLine, blankLine],
  }
}

const emptyState: EditorState = {
  contact: '',
  date: '',
  until: '',
  reference: '',
  currency: '',
  fxRate: '',
  notes: '',
  lines: [],
}

// A button of the lines changes only the form: nothing is saved, and nothing is wrong.
export async function readInput(visit: Visit, side: DocumentSide, form: URLSearchParams) {
  if (form.has('step')) {
    throw new Fault('invalid_request', { formErrors: [], fieldErrors: {} })
  }
  const facts = await readFacts(visit, side, namedIn(form))
  const state = completeState(readState(form), facts)
  return { facts, state, input: inputOf(state, facts) }
}

type StoredPaper = {
  readonly contactId: string
  readonly date: string
  readonly reference: string | null
  readonly notes: string | null
  readonly currency: string
  readonly lines: readonly Pick<
    DocumentLine,
    'itemId' | 'description' | 'quantity' | 'unitPrice' | 'discountPct' | 'accountId' | 'taxCodeId'
  >[]
}

type Stored = {
  readonly paper: StoredPaper
  readonly until: string
  readonly fxRate: string | null
}

// A stored document or quote in the fields. What is not offered any more, such as an inactive
// account, is empty and must be chosen again.
function storedState({ paper, until, fxRate }: Stored, facts: EditorFacts): EditorState {
  const lookups = readLookups(facts)
  return {
    contact: lookups.contacts.labelOf(facts.mergedContacts[paper.contactId] ?? paper.contactId),
    date: paper.date,
    until,
    reference: paper.reference ?? '',
    currency: paper.currency,
    fxRate: paper.currency === facts.baseCurrency ? '' : (fxRate ?? ''),
    notes: paper.notes ?? '',
    lines: paper.lines.map(
      (line): LineState => ({
        item: lookups.items.labelOf(line.itemId),
        description: line.description,
        quantity: line.quantity,
        unitPrice: line.unitPrice,
        discountPct: line.discountPct === '0' ? '' : line.discountPct,
        account: lookups.accounts.labelOf(line.accountId),
        taxCode: lookups.taxCodes.labelOf(line.taxCodeId),
      }),
    ),
  }
}

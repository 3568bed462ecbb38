// Merging two contacts: choose the other one, compare both, decide what differs; and taking them
// apart again.
import type { Contact, MergeableField } from '../../books/contacts/contact.ts'
import { getContact } from '../../books/contacts/get-contact.ts'
import { listContacts } from '../../books/contacts/list-contacts.ts'
import { mergeContacts } from '../../books/contacts/merge-contacts.ts'
import {
  type MergePreview,
  previewContactMerge,
} from '../../books/contacts/preview-contact-merge.ts'
import { undoContactMerge } from '../../books/contacts/undo-contact-merge.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import { SelectField } from '../../kernel/web/form.tsx'
import { type DefaultChoices, readDefaultChoices } from '../components/default-fields.tsx'
import { DraftSelect } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { Money } from '../components/money.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Table } from '../components/table.tsx'
import { type AppRoute, type Draft, defineForm, type Shown } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'

const path = '/contacts'
// What is taken over from the merged contact, as the fields of the form say.
const prefix = 'take-'

const fieldLabels: Readonly<Record<MergeableField, string>> = {
  name: 'Name',
  email: 'E-mail',
  phone: 'Phone',
  taxNumber: 'Tax number',
  currency: 'Currency',
  paymentTermsDays: 'Days to pay',
  address: 'Address',
  timeZone: 'Time zone',
  language: 'Language',
  salesAccountId: 'Account for sales',
  purchaseAccountId: 'Account for purchases',
  salesTaxCodeId: 'Tax on sales',
  purchaseTaxCodeId: 'Tax on purchases',
}

const mergeForm = defineForm({
  path: `${path}/:id/merge`,
  operation: mergeContacts,
  input: (visit, form) => ({
    id: visit.param('id'),
    intoId: form.get('intoId') ?? '',
    take: (Object.keys(fieldLabels) as MergeableField[]).filter(
      (field) => form.get(`${prefix}${field}`) === 'yes',
    ),
  }),
  async show(visit, draft) {
    const contact = await visit.run(getContact, { id: visit.param('id') })
    const intoId = draft.values.get('intoId')
    const problem = draft.problems.intoId
    if (!intoId || intoId === contact.id || problem) return choicePage(visit, contact, problem)
    const [preview, choices] = await Promise.all([
      visit.run(previewContactMerge, { id: contact.id, intoId }),
      readDefaultChoices(visit),
    ])
    return comparisonPage(visit, draft, preview, choices)
  },
  done: (visit, { id, name }) => ({
    location: visit.href(`${path}/${id}`),
    message: `Both contacts are ${name} now.`,
  }),
})

async function choicePage(
  visit: Visit,
  contact: Contact,
  problem: string | undefined,
): Promise<Shown> {
  const contacts = await visit.run(listContacts, {})
  const others = contacts.filter(({ id }) => id !== contact.id)
  const likely = others.filter((other) => isLikely(contact, other))
  const rest = others.filter((other) => !isLikely(contact, other))
  const title = `Merge ${contact.name}`
  return {
    title,
    content: (
      <>
        <PageHeader
          title={title}
          back={{ href: visit.href(`${path}/${contact.id}`), text: contact.name }}
          lead="If you have the same customer or supplier twice, make them one contact."
        />
        <form class="card form-page" method="get">
          <div class="card-body">
            <SelectField
              name="intoId"
              label="The contact to keep"
              hint={`The documents of ${contact.name} will be listed with its own.`}
              value={likely[0]?.id ?? ''}
              error={problem}
              choices={Object.fromEntries(
                [...likely, ...rest].map((other) => [other.id, labelOf(other)]),
              )}
            />
            <button class="btn btn-primary" type="submit">
              Compare
            </button>
          </div>
        </form>
      </>
    ),
  }
}

// Two contacts that share one of these are often one.
function isLikely(one: Contact, other: Contact): boolean {
  const isSame = (a: string | null, b: string | null) =>
    a !== null && a.toLowerCase() === b?.toLowerCase()
  return (
    isSame(one.name, other.name) ||
    isSame(one.email, other.email) ||
    isSame(one.taxNumber, other.taxNumber)
  )
}

function labelOf({ name, email }: Contact): string {
  return email === null ? name : `${name} (${email})`
}

function comparisonPage(
  visit: Visit,
  draft: Draft,
  preview: MergePreview,
  choices: DefaultChoices,
): Shown {
  const { merged, kept, differences } = preview
  const [own, other] = [merged.contact, kept.contact]
  return formPage({
    title: `Merge ${own.name} into ${other.name}`,
    back: { href: visit.href(`${path}/${own.id}`), text: own.name },
    draft,
    submit: 'Merge the contacts',
    isWide: true,
    children: (
      <>
        <input type="hidden" name="intoId" value={other.id} />
        <p>
          {other.name} stays, and has the documents, payments and balance of both. Nothing that was
          booked changes, and issued documents keep what is printed on them. You can take them apart
          again until a payment or credit of one settles a document of the other.
        </p>
        <Table
          caption="What both have"
          rows={[merged, kept]}
          keyOf={({ contact }) => contact.id}
          columns={[
            { label: 'Contact', cell: ({ contact }) => contact.name },
            { label: 'Documents', isNumber: true, cell: ({ use }) => use.documents },
            { label: 'Quotes', isNumber: true, cell: ({ use }) => use.quotes },
            { label: 'Payments', isNumber: true, cell: ({ use }) => use.payments },
            { label: 'Currencies', cell: ({ use }) => use.currencies.join(', ') || '–' },
            { label: 'Open', isNumber: true, cell: ({ balances }) => <Open balances={balances} /> },
          ]}
        />
        {differences.length > 0 && (
          <fieldset class="mt-4">
            <legend>What to keep</legend>
            {differences.map((field) => (
              <DraftSelect
                key={field}
                draft={draft}
                name={`${prefix}${field}`}
                label={fieldLabels[field]}
                initial={other[field] === null ? 'yes' : 'no'}
                choices={{
                  no: `${valueText(other, field, choices)}, as now`,
                  yes: `${valueText(own, field, choices)}, from ${own.name}`,
                }}
              />
            ))}
          </fieldset>
        )}
      </>
    ),
  })
}

function Open({ balances }: { balances: MergePreview['kept']['balances'] }) {
  const open = balances.filter(({ openMinor }) => openMinor !== 0n)
  if (open.length === 0) return <>–</>
  return (
    <>
      {open.map(({ currency, openMinor }) => (
        <span key={currency} class="d-block">
          <Money minor={openMinor} currency={currency} />
        </span>
      ))}
    </>
  )
}

function valueText(contact: Contact, field: MergeableField, choices: DefaultChoices): string {
  const value = contact[field]
  if (value === null) return 'None'
  const labels = field in choices ? choices[field as keyof DefaultChoices] : undefined
  return labels?.[String(value)] ?? String(value).replaceAll('\n', ', ')
}

const undoForm = defineForm({
  path: `${path}/:id/unmerge`,
  operation: undoContactMerge,
  input: (visit) => ({ id: visit.param('id') }),
  async show(visit, draft) {
    const kept = await visit.run(getContact, { id: visit.param('id') })
    const merged = kept.merged.find(({ id }) => id === visit.param('id'))
    if (!merged) throw notFound('merged contact')
    return formPage({
      title: `Take ${merged.name} and ${kept.name} apart`,
      back: { href: visit.href(`${path}/${kept.id}`), text: kept.name },
      draft,
      submit: 'Take them apart',
      children: (
        <p>
          {merged.name} is a separate contact again, with the documents and payments that it had
          before. What was entered since stays with {kept.name}, and so do the details that it took
          over.
        </p>
      ),
    })
  },
  done: (visit, { id, name }) => ({
    location: visit.href(`${path}/${id}`),
    message: `${name} is a separate contact again.`,
  }),
})

export const mergeForms: AppRoute[] = [...mergeForm, ...undoForm]

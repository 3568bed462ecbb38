// Adding and changing a customer or supplier.
import type { Contact } from '../../books/contacts/contact.ts'
import { createContact } from '../../books/contacts/create-contact.ts'
import { getContact } from '../../books/contacts/get-contact.ts'
import { updateContact } from '../../books/contacts/update-contact.ts'
import { invalidField } from '../../kernel/basics/fault.ts'
import { languageNames } from '../../payer-texts/payer-language.ts'
import {
  type DefaultChoices,
  DefaultFields,
  readDefaultChoices,
  readDefaults,
} from '../components/default-fields.tsx'
import { DraftSelect, DraftText } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { type Draft, defineForm } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { creditForms } from './credit-forms.tsx'
import { mergeForms } from './merge-forms.tsx'
import { contactStatementForms } from './monthly-statement-forms.tsx'
import { contactReminderForms } from './reminder-forms.tsx'

const path = '/contacts'

const createForm = defineForm({
  path: `${path}/new`,
  operation: createContact,
  input: (_visit, form) => fieldsOf(form),
  show: async (visit, draft) =>
    formPage({
      title: 'New contact',
      back: { href: visit.href(path), text: 'Contacts' },
      draft,
      submit: 'Add contact',
      children: (
        <>
          <LeadField draft={draft} />
          <ContactFields draft={draft} choices={await readDefaultChoices(visit)} />
        </>
      ),
    }),
  done: (visit, { id, name, warnings }) => ({
    location: afterAdding(visit, id),
    message: warnings.length > 0 ? `${name} is added. ${otherText}` : `${name} is added.`,
  }),
})

// Someone who quotes to a lead adds its contact on the way.
function LeadField({ draft }: { draft: Draft }) {
  const leadId = draft.values.get('leadId')
  return leadId ? <input type="hidden" name="leadId" value={leadId} /> : null
}

function afterAdding(visit: Visit, contactId: string): string {
  const leadId = visit.request.form.get('leadId')
  if (!leadId) return visit.href(`${path}/${contactId}`)
  return visit.href('/quotes/new', { leadId, contact: contactId })
}

const otherText = 'Another contact has the same name: check that it is not the same one.'

const editForm = defineForm({
  path: `${path}/:id/edit`,
  operation: updateContact,
  input: (visit, form) => ({
    ...fieldsOf(form),
    id: visit.param('id'),
    active: form.get('active') !== 'no',
  }),
  async show(visit, draft) {
    const contact = await visit.run(getContact, { id: visit.param('id') })
    return formPage({
      title: `Change ${contact.name}`,
      back: { href: visit.href(`${path}/${contact.id}`), text: contact.name },
      draft,
      submit: 'Save',
      children: (
        <>
          <ContactFields
            draft={draft}
            choices={await readDefaultChoices(visit)}
            contact={contact}
          />
          <DraftSelect
            draft={draft}
            name="active"
            label="In use"
            hint="A contact that is not in use gets no new documents."
            initial={contact.active ? 'yes' : 'no'}
            choices={{ yes: 'Yes', no: 'No' }}
          />
        </>
      ),
    })
  },
  done: (visit, { id, name }) => ({
    location: visit.href(`${path}/${id}`),
    message: `${name} is changed.`,
  }),
})

export const contactForms = [
  ...createForm,
  ...editForm,
  ...mergeForms,
  ...contactReminderForms,
  ...contactStatementForms,
  ...creditForms,
]

const types = { customer: 'Customer', supplier: 'Supplier', both: 'Customer and supplier' }

function typeOf({ isCustomer, isSupplier }: Contact): string {
  if (isCustomer && isSupplier) return 'both'
  return isSupplier ? 'supplier' : 'customer'
}

function fieldsOf(form: URLSearchParams) {
  const text = (name: string) => form.get(name)?.trim() ?? ''
  const terms = text('paymentTermsDays')
  if (terms !== '' && !/^\d{1,4}$/.test(terms)) {
    throw invalidField('paymentTermsDays', 'Enter a number of days, for example 14.')
  }
  return {
    name: text('name'),
    isCustomer: form.get('type') !== 'supplier',
    isSupplier: form.get('type') === 'supplier' || form.get('type') === 'both',
    email: text('email'),
    phone: text('phone'),
    taxNumber: text('taxNumber'),
    address: text('address'),
    currency: text('currency').toUpperCase() || null,
    language: languageNames.find(({ code }) => code === text('language'))?.code ?? null,
    timeZone: text('timeZone') || null,
    ...(terms !== '' && { paymentTermsDays: Number.parseInt(terms, 10) }),
    ...readDefaults(form),
  }
}

const languages = Object.fromEntries(languageNames.map(({ code, name }) => [code, name]))
const zones = Object.fromEntries(
  ['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => [zone, zone]),
)

type FieldsProps = { draft: Draft; choices: DefaultChoices; contact?: Contact }

function ContactFields({ draft, choices, contact }: FieldsProps) {
  return (
    <>
      <DraftText draft={draft} name="name" label="Name" initial={contact?.name ?? ''} />
      <DraftSelect
        draft={draft}
        name="type"
        label="Type"
        initial={contact ? typeOf(contact) : 'customer'}
        choices={types}
      />
      <DraftText
        draft={draft}
        name="email"
        label="E-mail (optional)"
        initial={contact?.email ?? ''}
        isOptional
      />
      <DraftText
        draft={draft}
        name="phone"
        label="Phone (optional)"
        initial={contact?.phone ?? ''}
        isOptional
      />
      <DraftText
        draft={draft}
        name="address"
        label="Address (optional)"
        initial={contact?.address ?? ''}
        isOptional
      />
      <DraftText
        draft={draft}
        name="taxNumber"
        label="Tax number (optional)"
        initial={contact?.taxNumber ?? ''}
        isOptional
      />
      <DraftText
        draft={draft}
        name="currency"
        label="Currency (optional)"
        hint="Three letters, for example EUR. Empty: the currency of your books."
        initial={contact?.currency ?? ''}
        isOptional
      />
      <DraftText
        draft={draft}
        name="paymentTermsDays"
        label="Days to pay (optional)"
        hint="Sets the due date of new documents."
        initial={contact ? String(contact.paymentTermsDays) : ''}
        isOptional
      />
      <DraftSelect
        draft={draft}
        name="language"
        label="Language of mails (optional)"
        hint="Of reminders and statements. Empty: that of your business."
        initial={contact?.language ?? ''}
        choices={languages}
        isOptional
      />
      <DraftSelect
        draft={draft}
        name="timeZone"
        label="Time zone (optional)"
        hint="Reminders and monthly statements arrive between 8:00 and 20:00 there. Empty: that of your business."
        initial={contact?.timeZone ?? ''}
        choices={zones}
        isOptional
      />
      <DefaultFields draft={draft} choices={choices} {...(contact && { stored: contact })} />
    </>
  )
}

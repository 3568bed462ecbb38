// Adding, changing and moving a lead, and how it ends.
import { listContacts } from '../../books/contacts/list-contacts.ts'
import { createLead } from '../../books/leads/create-lead.ts'
import { editLead } from '../../books/leads/edit-lead.ts'
import { getLead } from '../../books/leads/get-lead.ts'
import { type Lead, type LeadStatus, openLeadStatuses } from '../../books/leads/lead.ts'
import { loseLead } from '../../books/leads/lose-lead.ts'
import { moveLead } from '../../books/leads/move-lead.ts'
import { winLead } from '../../books/leads/win-lead.ts'
import { getOrganisation } from '../../books/settings/get-organisation.ts'
import { invalidField } from '../../kernel/basics/fault.ts'
import { initialAmount, readTypedAmount, typedAmount } from '../components/amount-field.ts'
import { DraftSelect, DraftText, DraftTextArea } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { readCurrency } from '../components/offer-fields.tsx'
import { type Draft, defineAction, defineForm } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { leadHref, leadStatusLabels, leadsPath } from './lead-looks.tsx'

const path = `${leadsPath}/:id`
const readLead = (visit: Visit) => visit.run(getLead, { id: visit.param('id') })
const backTo = (visit: Visit, lead: Lead) => ({ href: leadHref(visit, lead), text: lead.name })

const createForm = defineForm({
  path: `${leadsPath}/new`,
  operation: createLead,
  input: (_visit, form) => fieldsOf(form),
  async show(visit, draft) {
    const { baseCurrency } = await visit.run(getOrganisation, {})
    return formPage({
      title: 'New lead',
      back: { href: visit.href(leadsPath), text: 'Leads' },
      draft,
      submit: 'Add lead',
      children: <LeadFields draft={draft} currency={baseCurrency} />,
    })
  },
  done: (visit, { name }) => ({ location: visit.href(leadsPath), message: `${name} is added.` }),
})

const editForm = defineForm({
  path: `${path}/edit`,
  operation: editLead,
  input: (visit, form) => ({ id: visit.param('id'), ...fieldsOf(form) }),
  async show(visit, draft) {
    const lead = await readLead(visit)
    return formPage({
      title: `Change ${lead.name}`,
      back: backTo(visit, lead),
      draft,
      submit: 'Save',
      children: <LeadFields draft={draft} currency={lead.currency} lead={lead} />,
    })
  },
  done: (visit, lead) => ({
    location: leadHref(visit, lead),
    message: `${lead.name} is changed.`,
  }),
})

const moveAction = defineAction({
  path: `${path}/move`,
  operation: moveLead,
  page: (visit) => visit.href(`${leadsPath}/${visit.param('id')}`),
  input: (visit, form) => ({ id: visit.param('id'), status: readStatus(form) }),
  done: (visit, { name, status }) => ({
    location: visit.href(leadsPath),
    message: `${name} is now ${leadStatusLabels[status].toLowerCase()}.`,
  }),
})

function readStatus(form: URLSearchParams) {
  const status = openLeadStatuses.find((one: LeadStatus) => one === form.get('status'))
  if (!status) throw invalidField('status', 'Choose where the lead moves to.')
  return status
}

const winForm = defineForm({
  path: `${path}/win`,
  operation: winLead,
  input: (visit, form) => ({ id: visit.param('id'), contactId: form.get('contactId') || null }),
  async show(visit, draft) {
    const [lead, contacts] = await Promise.all([
      readLead(visit),
      visit.run(listContacts, { type: 'customer' }),
    ])
    const offered = contacts.filter(({ active }) => active)
    return formPage({
      title: `Mark ${lead.name} as won`,
      back: backTo(visit, lead),
      draft,
      submit: 'Mark as won',
      children: (
        <>
          <p>A won lead can no longer be changed or moved.</p>
          <DraftSelect
            draft={draft}
            name="contactId"
            label="Customer (optional)"
            hint="The contact that the lead has become."
            initial={lead.contactId ?? ''}
            choices={Object.fromEntries(offered.map(({ id, name }) => [id, name]))}
            isOptional
          />
        </>
      ),
    })
  },
  done: (visit, { name }) => ({ location: visit.href(leadsPath), message: `${name} is won.` }),
})

const loseForm = defineForm({
  path: `${path}/lose`,
  operation: loseLead,
  input: (visit, form) => ({ id: visit.param('id'), reason: textOf(form, 'reason') }),
  async show(visit, draft) {
    const lead = await readLead(visit)
    return formPage({
      title: `Mark ${lead.name} as lost`,
      back: backTo(visit, lead),
      draft,
      submit: 'Mark as lost',
      isDangerous: true,
      children: (
        <>
          <p>A lost lead can no longer be changed or moved.</p>
          <DraftText
            draft={draft}
            name="reason"
            label="Reason (optional)"
            hint="For yourself: what the next offer should do better."
            isOptional
          />
        </>
      ),
    })
  },
  done: (visit, { name }) => ({ location: visit.href(leadsPath), message: `${name} is lost.` }),
})

export const leadForms = [...createForm, ...editForm, ...moveAction, ...winForm, ...loseForm]

function textOf(form: URLSearchParams, name: string): string | null {
  return form.get(name)?.trim() || null
}

function fieldsOf(form: URLSearchParams) {
  const currency = readCurrency(form)
  const value = textOf(form, 'value') === null ? null : readTypedAmount(form, 'value', currency)
  return {
    name: textOf(form, 'name') ?? '',
    company: textOf(form, 'company'),
    email: textOf(form, 'email'),
    phone: textOf(form, 'phone'),
    notes: textOf(form, 'notes'),
    value: value === null ? null : typedAmount(value, currency),
    currency,
  }
}

type FieldsProps = { draft: Draft; currency: string; lead?: Lead }

function LeadFields({ draft, currency, lead }: FieldsProps) {
  const value = lead?.valueMinor ?? null
  const optional = (name: 'company' | 'email' | 'phone', label: string) => (
    <DraftText draft={draft} name={name} label={label} initial={lead?.[name] ?? ''} isOptional />
  )
  return (
    <>
      <DraftText draft={draft} name="name" label="Name" initial={lead?.name ?? ''} />
      {optional('company', 'Company (optional)')}
      {optional('email', 'E-mail (optional)')}
      {optional('phone', 'Phone (optional)')}
      <DraftText
        draft={draft}
        name="value"
        label="Possible value (optional)"
        hint="What they may buy for."
        initial={value === null ? '' : initialAmount(value, currency)}
        inputMode="decimal"
        isOptional
      />
      <DraftText draft={draft} name="currency" label="Currency" initial={currency} />
      <DraftTextArea
        draft={draft}
        name="notes"
        label="Notes (optional)"
        initial={lead?.notes ?? ''}
        isOptional
      />
    </>
  )
}

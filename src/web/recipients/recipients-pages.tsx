// Split recipients: who gets a share of charges, adding one, and switching one off and on.
import { invalidField } from '../../kernel/basics/fault.ts'
import { parseDecimal } from '../../kernel/money/decimal.ts'
import { createRecipient } from '../../merchant/recipients/create-recipient.ts'
import { getRecipient } from '../../merchant/recipients/get-recipient.ts'
import { listRecipients } from '../../merchant/recipients/list-recipients.ts'
import { updateRecipient } from '../../merchant/recipients/update-recipient.ts'
import { DraftSelect, DraftText } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { Moment } from '../components/moment.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Status } from '../components/status.tsx'
import { EmptyState, Table } from '../components/table.tsx'
import { defineForm, definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { recipientPages } from './recipient-page.tsx'
import { recipientStatus } from './recipient-status.ts'

const path = '/recipients'
const back = (visit: Visit) => ({ href: visit.href(path), text: 'Recipients' })

const listPage = definePage({
  path,
  operation: listRecipients,
  async show(visit) {
    const recipients = await visit.run(listRecipients, {})
    return {
      title: 'Recipients',
      content: (
        <>
          <PageHeader
            title="Recipients"
            lead="A recipient gets a share of every charge of the links and QR codes that name it."
            actions={
              visit.may(createRecipient) && (
                <a class="btn btn-primary" href={visit.href(`${path}/new`)}>
                  New recipient
                </a>
              )
            }
          />
          {recipients.length === 0 ? (
            <EmptyState title="No recipients">
              Add a partner who gets a share, for example the seller on your marketplace.
            </EmptyState>
          ) : (
            <Table
              caption="Recipients"
              rows={recipients}
              keyOf={({ id }) => id}
              hrefOf={({ id }) => visit.href(`${path}/${id}`)}
              columns={[
                { label: 'Name', cell: ({ name }) => name },
                { label: 'Share', cell: ({ splitPercent }) => `${splitPercent} %` },
                { label: 'Bank', cell: ({ bankCode }) => bankCode },
                {
                  label: 'Status',
                  cell: (recipient) => <Status of={recipientStatus(recipient)} />,
                },
                {
                  label: 'Added',
                  cell: ({ createdAt }) => <Moment at={createdAt} zone={visit.zone} />,
                },
              ]}
            />
          )}
        </>
      ),
    }
  },
})

const createForm = defineForm({
  path: `${path}/new`,
  operation: createRecipient,
  isSensitive: true,
  input(visit, form) {
    const splitValue = parseDecimal((form.get('splitValue') ?? '').trim())
    if (!splitValue) throw invalidField('splitValue', 'Enter a percentage, for example 12.5.')
    const mobile = (form.get('recipientMobile') ?? '').trim()
    return {
      externalReference: (form.get('externalReference') ?? '').trim() || visit.context.ids.uuid(),
      name: (form.get('name') ?? '').trim(),
      accountBank: (form.get('accountBank') ?? '').trim(),
      accountNumber: (form.get('accountNumber') ?? '').trim(),
      splitValue,
      ...(mobile !== '' && { recipientMobile: mobile }),
    }
  },
  show: async (visit, draft) =>
    formPage({
      title: 'New recipient',
      back: back(visit),
      draft,
      submit: 'Add recipient',
      children: (
        <>
          <DraftText draft={draft} name="name" label="Name" />
          <DraftText
            draft={draft}
            name="accountBank"
            label="Bank code"
            hint="The code that the payment provider uses."
          />
          <DraftText draft={draft} name="accountNumber" label="Account number" />
          <DraftText
            draft={draft}
            name="splitValue"
            label="Share in per cent"
            hint="From 1 to 100."
            inputMode="decimal"
          />
          <DraftText draft={draft} name="recipientMobile" label="Phone (optional)" isOptional />
          <DraftText
            draft={draft}
            name="externalReference"
            label="Your reference (optional)"
            hint="Your own name for the recipient. Each is used once."
            isOptional
          />
        </>
      ),
    }),
  done: (visit, { id, name }) => ({
    location: visit.href(`${path}/${id}`),
    message: `${name} is added. Choose it for a link or QR code to share its charges.`,
  }),
})

const editForm = defineForm({
  path: `${path}/:id/edit`,
  operation: updateRecipient,
  input: (visit, form) => ({
    id: visit.param('id'),
    verified: form.get('verified') === 'yes',
    disabled: form.get('disabled') === 'yes',
  }),
  async show(visit, draft) {
    const { id, name, verified, disabled } = await visit.run(getRecipient, {
      id: visit.param('id'),
    })
    return formPage({
      title: `Change ${name}`,
      back: { href: visit.href(`${path}/${id}`), text: name },
      draft,
      submit: 'Save',
      children: (
        <>
          <DraftSelect
            draft={draft}
            name="verified"
            label="Verified"
            hint="Whether you have checked who it is."
            initial={verified ? 'yes' : 'no'}
            choices={{ yes: 'Yes', no: 'No' }}
          />
          <DraftSelect
            draft={draft}
            name="disabled"
            label="Switched off"
            hint="While it is off, its charges settle to you."
            initial={disabled ? 'yes' : 'no'}
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

export const recipientsPages = [...listPage, ...createForm, ...editForm, ...recipientPages]

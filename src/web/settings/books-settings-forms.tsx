// The settings of the books: how they are kept, and up to which day they are closed.
import { getOrganisation } from '../../books/settings/get-organisation.ts'
import { setLockDates } from '../../books/settings/set-lock-dates.ts'
import { updateOrganisation } from '../../books/settings/update-organisation.ts'
import { invalidField } from '../../kernel/basics/fault.ts'
import { DraftSelect, DraftText } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { defineForm } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'

const back = (visit: Visit) => ({ href: visit.href('/settings'), text: 'Settings' })

const months = Object.fromEntries(
  Array.from({ length: 12 }, (_, index) => [
    String(index + 1),
    new Intl.DateTimeFormat('en-GB', { month: 'long', timeZone: 'UTC' }).format(
      Date.UTC(2026, index, 1),
    ),
  ]),
)
const yesOrNo = { yes: 'Yes', no: 'No' }
const yesIf = (isOn: boolean) => (isOn ? 'yes' : 'no')

const settingsForm = defineForm({
  path: '/settings/books',
  operation: updateOrganisation,
  // The payment details stand on every invoice.
  isSensitive: true,
  input(_visit, form) {
    const terms = (form.get('defaultPaymentTermsDays') ?? '').trim()
    if (!/^\d{1,4}$/.test(terms)) {
      throw invalidField('defaultPaymentTermsDays', 'Enter a number of days, for example 14.')
    }
    return {
      fiscalYearStartMonth: Number.parseInt(form.get('fiscalYearStartMonth') ?? '', 10),
      taxRounding:
        form.get('taxRounding') === 'document' ? ('document' as const) : ('line' as const),
      approvalsOn: form.get('approvalsOn') === 'yes',
      fourEyesOn: form.get('fourEyesOn') === 'yes',
      defaultPaymentTermsDays: Number.parseInt(terms, 10),
      paymentDetails: form.get('paymentDetails') ?? '',
    }
  },
  async show(visit, draft) {
    const organisation = await visit.run(getOrganisation, {})
    return formPage({
      title: 'How the books are kept',
      back: back(visit),
      draft,
      submit: 'Save',
      children: (
        <>
          <DraftSelect
            draft={draft}
            name="fiscalYearStartMonth"
            label="The fiscal year starts in"
            initial={String(organisation.fiscalYearStartMonth)}
            choices={months}
          />
          <DraftText
            draft={draft}
            name="defaultPaymentTermsDays"
            label="Days to pay"
            hint="For contacts that have no own number of days."
            initial={String(organisation.defaultPaymentTermsDays)}
          />
          <DraftText
            draft={draft}
            name="paymentDetails"
            label="How to pay you (optional)"
            hint="Stands on every invoice, for example your bank account."
            initial={organisation.paymentDetails ?? ''}
            isOptional
          />
          <DraftSelect
            draft={draft}
            name="taxRounding"
            label="Tax is rounded"
            initial={organisation.taxRounding}
            choices={{ line: 'On every line', document: 'Once per document' }}
          />
          <DraftSelect
            draft={draft}
            name="approvalsOn"
            label="Documents need an approval"
            initial={yesIf(organisation.approvalsOn)}
            choices={yesOrNo}
          />
          <DraftSelect
            draft={draft}
            name="fourEyesOn"
            label="No one approves their own documents"
            initial={yesIf(organisation.fourEyesOn)}
            choices={yesOrNo}
          />
        </>
      ),
    })
  },
  done: (visit) => ({ location: visit.href('/settings'), message: 'The settings are saved.' }),
})

const lockForm = defineForm({
  path: '/settings/lock-dates',
  operation: setLockDates,
  input(_visit, form) {
    const hard = form.get('hardLockedUntil')
    return {
      softLockedUntil: form.get('softLockedUntil') || null,
      ...(hard && { hardLockedUntil: hard }),
    }
  },
  async show(visit, draft) {
    const { softLockedUntil, hardLockedUntil } = await visit.run(getOrganisation, {})
    return formPage({
      title: 'Lock the books',
      back: back(visit),
      draft,
      submit: 'Save lock dates',
      children: (
        <>
          <p>Nothing is booked on or before these days any more.</p>
          <DraftText
            draft={draft}
            name="softLockedUntil"
            label="Closed up to (optional)"
            hint="Owners and admins can still book there, and can open it again."
            type="date"
            initial={softLockedUntil ?? ''}
            isOptional
          />
          <DraftText
            draft={draft}
            name="hardLockedUntil"
            label="Closed for good up to (optional)"
            hint="No one can book there again. It can only be moved forward, and only by an owner."
            type="date"
            initial={hardLockedUntil ?? ''}
            isOptional
          />
        </>
      ),
    })
  },
  done: (visit) => ({ location: visit.href('/settings'), message: 'The lock dates are saved.' }),
})

export const booksSettingsForms = [...settingsForm, ...lockForm]

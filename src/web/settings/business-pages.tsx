// The details of the business: what stands on its documents, its time zone, its verification.
import { getOrganisation } from '../../books/settings/get-organisation.ts'
import { type Locale, locales, type Organisation } from '../../books/settings/organisation.ts'
import { updateOrganisation } from '../../books/settings/update-organisation.ts'
import { invalidField } from '../../kernel/basics/fault.ts'
import { Card } from '../../kernel/web/components.tsx'
import type { Account, Standing } from '../../merchant/business/business.ts'
import { getAccount } from '../../merchant/business/get-account.ts'
import { createVerification } from '../../merchant/verification/create-verification.ts'
import { DraftSelect, DraftText, DraftTextArea } from '../components/draft-fields.tsx'
import { Facts } from '../components/facts.tsx'
import { formPage } from '../components/form-page.tsx'
import { Moment } from '../components/moment.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Status } from '../components/status.tsx'
import { defineForm, definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'

const path = '/settings/business'

export const businessPages = definePage({
  path,
  operation: getOrganisation,
  async show(visit) {
    const [account, organisation] = await Promise.all([
      visit.run(getAccount, {}),
      visit.run(getOrganisation, {}),
    ])
    return {
      title: 'Business details',
      content: (
        <>
          <PageHeader
            title="Business details"
            back={{ href: visit.href('/settings'), text: 'Settings' }}
            actions={
              visit.may(updateOrganisation) && (
                <a class="btn btn-primary" href={visit.href(`${path}/edit`)}>
                  Edit details
                </a>
              )
            }
          />
          <div class="stack">
            <Details account={account} organisation={organisation} />
            <Verification visit={visit} account={account} />
          </div>
        </>
      ),
    }
  },
})

function Details({ account, organisation }: { account: Account; organisation: Organisation }) {
  const { legalName, address, taxNumber, paymentDetails, timeZone, locale, baseCurrency } =
    organisation
  return (
    <Card title="Details">
      <Facts
        facts={[
          ['Name', account.name],
          ['Legal name', legalName ?? <NotSet />],
          ['Address', address === null ? <NotSet /> : <span class="lines">{address}</span>],
          ['Tax number', taxNumber ?? <NotSet />],
          [
            'Payment details',
            paymentDetails === null ? <NotSet /> : <span class="lines">{paymentDetails}</span>,
          ],
          ['Country', account.country],
          ['Base currency', baseCurrency],
          ['Time zone', timeZone],
          ['Numbers and dates', localeText(locale)],
          ['Contact', [account.contactEmail, account.contactPhone].filter(Boolean).join(', ')],
        ]}
      />
    </Card>
  )
}

function NotSet() {
  return <span class="quiet">Not set</span>
}

function Verification({ visit, account }: { visit: Visit; account: Account & Standing }) {
  const { kycStatus, rejectionReason, createdAt } = account
  return (
    <Card title="Verification">
      <Facts
        facts={[
          ['Status', <Status of={kycStatus} />],
          rejectionReason !== null && ['Reason', rejectionReason],
          ['Member since', <Moment at={createdAt} zone={visit.zone} withTime={false} />],
        ]}
      />
      {kycStatus !== 'verified' && visit.may(createVerification) && (
        <a class="btn" href={visit.href('/settings/verification')}>
          Get verified
        </a>
      )}
    </Card>
  )
}

export const businessForm = defineForm({
  path: `${path}/edit`,
  operation: updateOrganisation,
  // The payment details stand on every invoice.
  isSensitive: true,
  input: (_visit, form) => ({
    legalName: textOf(form, 'legalName'),
    address: textOf(form, 'address'),
    taxNumber: textOf(form, 'taxNumber'),
    paymentDetails: textOf(form, 'paymentDetails'),
    timeZone: form.get('timeZone') ?? '',
    locale: readLocale(form.get('locale') ?? ''),
  }),
  async show(visit, draft) {
    const organisation = await visit.run(getOrganisation, {})
    const zones = Intl.supportedValuesOf('timeZone')
    const { timeZone } = organisation
    const choices = [...new Set([timeZone, 'UTC', ...zones])].toSorted()
    return formPage({
      title: 'Business details',
      back: { href: visit.href(path), text: 'Business details' },
      draft,
      submit: 'Save details',
      children: (
        <>
          <DraftText
            draft={draft}
            name="legalName"
            label="Legal name"
            hint="As it stands on invoices and quotes."
            initial={organisation.legalName ?? ''}
            isOptional
          />
          <DraftTextArea
            draft={draft}
            name="address"
            label="Address"
            initial={organisation.address ?? ''}
            isOptional
          />
          <DraftText
            draft={draft}
            name="taxNumber"
            label="Tax number"
            initial={organisation.taxNumber ?? ''}
            isOptional
          />
          <DraftTextArea
            draft={draft}
            name="paymentDetails"
            label="Payment details"
            hint="How customers pay an invoice, for example your bank account. Stands on invoices."
            initial={organisation.paymentDetails ?? ''}
            isOptional
          />
          <DraftSelect
            draft={draft}
            name="timeZone"
            label="Time zone"
            hint="Times are shown in it, and it decides when a day begins."
            initial={timeZone}
            choices={Object.fromEntries(choices.map((zone) => [zone, zone]))}
          />
          <DraftSelect
            draft={draft}
            name="locale"
            label="Numbers and dates"
            hint="How the application shows amounts and dates, and reads what you type."
            initial={organisation.locale}
            choices={Object.fromEntries(localeCodes.map((locale) => [locale, localeText(locale)]))}
          />
        </>
      ),
    })
  },
  done: (visit) => ({ location: visit.href(path), message: 'The details are saved.' }),
})

const localeCodes = Object.keys(locales) as Locale[]

function readLocale(text: string): Locale {
  const found = localeCodes.find((locale) => locale === text)
  if (found === undefined) throw invalidField('locale', 'Choose one of the list.')
  return found
}

const sampleDay = new Date('2026-11-16T00:00:00Z')

// `French (France): 1 234,50 and 16/11/2026`
function localeText(locale: Locale): string {
  const number = new Intl.NumberFormat(locale, { minimumFractionDigits: 2 }).format(1234.5)
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  return `${locales[locale]}: ${number} and ${day.format(sampleDay)}`
}

function textOf(form: URLSearchParams, name: string): string | null {
  return (form.get(name) ?? '').replaceAll('\r\n', '\n').trim() || null
}

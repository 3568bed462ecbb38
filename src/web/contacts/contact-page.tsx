// A customer or supplier: what is open, and its newest documents.

import { type ContactView, getContact } from '../../books/contacts/get-contact.ts'
import { mergeContacts } from '../../books/contacts/merge-contacts.ts'
import { undoContactMerge } from '../../books/contacts/undo-contact-merge.ts'
import { updateContact } from '../../books/contacts/update-contact.ts'
import { Badge, Card } from '../../kernel/web/components.tsx'
import { redirectTo } from '../../kernel/web/page.ts'
import { languageNames } from '../../payer-texts/payer-language.ts'
import { Facts } from '../components/facts.tsx'
import { Money } from '../components/money.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { EmptyState } from '../components/table.tsx'
import { documentPlaces } from '../documents/document-place.ts'
import { DocumentTable } from '../documents/document-table.tsx'
import { definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { unusedPayments } from './credit-forms.tsx'
import { monthlyStatementCard } from './monthly-statement-forms.tsx'
import { ReminderCard } from './reminder-forms.tsx'

const path = '/contacts'
const papersMax = 20
const anything = {
  view: undefined,
  kind: undefined,
  text: undefined,
  from: undefined,
  to: undefined,
}

export const contactPages = definePage({
  path: `${path}/:id`,
  operation: getContact,
  async show(visit) {
    const contact = await visit.run(getContact, { id: visit.param('id') })
    // A merged contact is shown as the one that it stands for.
    if (contact.id !== visit.param('id')) return redirectTo(visit.href(`${path}/${contact.id}`))
    return {
      title: contact.name,
      content: (
        <>
          <PageHeader
            back={{ href: visit.href(path), text: 'Contacts' }}
            title={
              <>
                {contact.name} {!contact.active && <Badge tone="unsure">Inactive</Badge>}
              </>
            }
            actions={
              <>
                <a class="btn" href={visit.href(`${path}/${contact.id}/statement`)}>
                  Statement
                </a>
                {visit.may(mergeContacts) && (
                  <a class="btn" href={visit.href(`${path}/${contact.id}/merge`)}>
                    Merge
                  </a>
                )}
                {visit.may(updateContact) && (
                  <a class="btn" href={visit.href(`${path}/${contact.id}/edit`)}>
                    Change
                  </a>
                )}
              </>
            }
          />
          <div class="stack">
            <Card title="Open now">
              <Balances contact={contact} />
            </Card>
            {await unusedPayments(visit, contact)}
            <Card title="Details">
              <ContactFacts contact={contact} />
              <Merged visit={visit} contact={contact} />
            </Card>
            <ReminderCard visit={visit} contact={contact} />
            {await monthlyStatementCard(visit, contact)}
            {await papersOf(visit, contact.id)}
          </div>
        </>
      ),
    }
  },
})

function Balances({ contact: { balances } }: { contact: ContactView }) {
  const open = balances.filter(({ openMinor }) => openMinor !== 0n)
  if (open.length === 0) return <p class="mb-0">Nothing is open.</p>
  return (
    <ul class="mb-0">
      {open.map(({ currency, openMinor }) => (
        <li key={currency}>
          {openMinor > 0n ? 'Owes you ' : 'You owe '}
          <strong>
            <Money minor={openMinor > 0n ? openMinor : -openMinor} currency={currency} />
          </strong>
        </li>
      ))}
    </ul>
  )
}

function ContactFacts({ contact }: { contact: ContactView }) {
  const { email, phone, taxNumber, address, currency, paymentTermsDays } = contact
  const { timeZone, language } = contact
  const types = [contact.isCustomer && 'Customer', contact.isSupplier && 'Supplier']
  return (
    <Facts
      facts={[
        ['Type', types.filter(Boolean).join(' and ') || 'Neither'],
        email !== null && ['E-mail', email],
        phone !== null && ['Phone', phone],
        address !== null && ['Address', <span class="lines">{address}</span>],
        taxNumber !== null && ['Tax number', taxNumber],
        currency !== null && ['Currency', currency],
        language !== null && ['Language of mails', languageText(language)],
        timeZone !== null && ['Time zone', timeZone],
        ['Pays within', `${paymentTermsDays} days`],
      ]}
    />
  )
}

function languageText(code: string): string {
  return languageNames.find((one) => one.code === code)?.name ?? code
}

function Merged({ visit, contact: { merged } }: { visit: Visit; contact: ContactView }) {
  if (merged.length === 0) return null
  return (
    <ul class="mb-0 mt-3" aria-label="Merged contacts">
      {merged.map(({ id, name }) => (
        <li key={id}>
          {name} was merged into this contact.{' '}
          {visit.may(undoContactMerge) && (
            <a href={visit.href(`${path}/${id}/unmerge`)}>Take {name} out again</a>
          )}
        </li>
      ))}
    </ul>
  )
}

async function papersOf(visit: Visit, contactId: string) {
  const sections = await Promise.all(
    documentPlaces.map(async (place) => {
      const { papers } = await place.search(visit, { ...anything, contactId, limit: papersMax })
      return { place, papers }
    }),
  )
  const filled = sections.filter(({ papers }) => papers.length > 0)
  if (filled.length === 0) {
    return <EmptyState title="No documents yet">Invoices, quotes and bills appear here.</EmptyState>
  }
  return filled.map(({ place, papers }) => (
    <section key={place.path}>
      <h2>
        <a href={visit.href(place.path, { contact: contactId })}>{place.title}</a>
      </h2>
      <DocumentTable visit={visit} place={place} papers={papers} />
    </section>
  ))
}

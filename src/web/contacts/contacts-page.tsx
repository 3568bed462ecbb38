// Customers and suppliers, by name.
import { createContact } from '../../books/contacts/create-contact.ts'
import { listContacts } from '../../books/contacts/list-contacts.ts'
import { Badge } from '../../kernel/web/components.tsx'
import { FilterChips } from '../components/filter-chips.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { SearchLine } from '../components/search-line.tsx'
import { EmptyState, Table } from '../components/table.tsx'
import { definePage } from '../shell/define-page.ts'

const path = '/contacts'
const shownMax = 200

const types = { customer: 'Customers', supplier: 'Suppliers' } as const
type ContactType = keyof typeof types

export const contactsPages = definePage({
  path,
  operation: listContacts,
  async show(visit) {
    const search = visit.query.get('q')?.trim() || undefined
    const type = (Object.keys(types) as ContactType[]).find(
      (one) => one === visit.query.get('type'),
    )
    const found = await visit.run(listContacts, { type, search })
    const contacts = found.slice(0, shownMax)
    return {
      title: 'Contacts',
      content: (
        <>
          <PageHeader
            title="Contacts"
            lead="Customers and suppliers."
            actions={
              visit.may(createContact) && (
                <a class="btn btn-primary" href={visit.href(`${path}/new`)}>
                  New contact
                </a>
              )
            }
          />
          <SearchLine
            label="Search contacts"
            hint="Name, e-mail or tax number"
            value={search}
            kept={{ type }}
          />
          <FilterChips
            label="Type"
            chosen={type}
            choices={types}
            hrefOf={(choice) => visit.href(path, { type: choice, q: search })}
          />
          {contacts.length === 0 ? (
            <EmptyState title="No contacts here">
              {search
                ? `No contact contains “${search}”.`
                : 'Add a customer to write an invoice, or a supplier to enter a bill.'}
            </EmptyState>
          ) : (
            <Table
              caption="Contacts"
              rows={contacts}
              keyOf={({ id }) => id}
              hrefOf={({ id }) => visit.href(`${path}/${id}`)}
              columns={[
                { label: 'Name', cell: ({ name }) => name },
                {
                  label: 'Type',
                  cell: ({ isCustomer, isSupplier, active }) => (
                    <span class="chips">
                      {isCustomer && <Badge tone="plain">Customer</Badge>}
                      {isSupplier && <Badge tone="plain">Supplier</Badge>}
                      {!active && <Badge tone="unsure">Inactive</Badge>}
                    </span>
                  ),
                },
                { label: 'E-mail', cell: ({ email }) => email ?? '' },
                { label: 'Currency', cell: ({ currency }) => currency ?? '' },
              ]}
            />
          )}
          {found.length > shownMax && (
            <p class="quiet">
              The first {shownMax} of {found.length}. Search to find others.
            </p>
          )}
        </>
      ),
    }
  },
})

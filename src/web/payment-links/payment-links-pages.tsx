// Payment links: the list, one link with its address and payments, and switching it off and on.
import { linkInvoice } from '../../books/service-money/link-invoice.ts'
import { Card } from '../../kernel/web/components.tsx'
import { linkUrl } from '../../merchant/checkout/page-addresses.ts'
import { createPaymentLink } from '../../merchant/payment-links/create-payment-link.ts'
import { getPaymentLink } from '../../merchant/payment-links/get-payment-link.ts'
import { listPaymentLinks } from '../../merchant/payment-links/list-payment-links.ts'
import { type ItemisedLink, linkState } from '../../merchant/payment-links/payment-link.ts'
import { updatePaymentLink } from '../../merchant/payment-links/update-payment-link.ts'
import { listPayments } from '../../merchant/payments/list-payments.ts'
import { ActionButton } from '../components/app-form.tsx'
import { CopyLine } from '../components/copy-line.tsx'
import { Facts } from '../components/facts.tsx'
import { Moment } from '../components/moment.tsx'
import { Money } from '../components/money.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Status } from '../components/status.tsx'
import { EmptyState, Pager, Table } from '../components/table.tsx'
import { PaymentTable } from '../payments/payment-table.tsx'
import { defineAction, definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { linkItemForm } from './link-item-form.tsx'
import { ItemsPrice, LinkItems } from './link-items.tsx'
import { payerFieldsText } from './payer-field-choices.tsx'

const path = '/payment-links'

const listPage = definePage({
  path,
  operation: listPaymentLinks,
  async show(visit) {
    const startingAfter = visit.query.get('after') ?? undefined
    const { items, nextCursor } = await visit.run(listPaymentLinks, { startingAfter })
    const create = visit.may(createPaymentLink) && (
      <a class="btn btn-primary" href={visit.href(`${path}/new`)}>
        New payment link
      </a>
    )
    return {
      title: 'Payment links',
      content: (
        <>
          <PageHeader
            title="Payment links"
            lead="Send a link to your customers. Any number of them can pay it."
            actions={create}
          />
          {items.length === 0 ? (
            <EmptyState title="No payment links yet" action={create}>
              Create a link, send it in a message or put it on your site, and get paid.
            </EmptyState>
          ) : (
            <LinkTable visit={visit} links={items} />
          )}
          <Pager
            firstHref={startingAfter ? visit.href(path) : undefined}
            nextHref={nextCursor ? visit.href(path, { after: nextCursor }) : undefined}
          />
        </>
      ),
    }
  },
})

function LinkTable({ visit, links }: { visit: Visit; links: readonly ItemisedLink[] }) {
  return (
    <Table
      caption="Payment links"
      rows={links}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => visit.href(`${path}/${id}`)}
      columns={[
        { label: 'Title', cell: ({ title }) => title },
        { label: 'Amount', cell: price },
        { label: 'Status', cell: (link) => <Status of={stateOf(visit, link)} /> },
        { label: 'Created', cell: ({ createdAt }) => <Moment at={createdAt} zone={visit.zone} /> },
      ]}
    />
  )
}

function price({ amountMinor, presetAmountMinor, currency, items }: ItemisedLink) {
  if (items.length > 0) return <ItemsPrice items={items} currency={currency} />
  if (amountMinor !== null) return <Money minor={amountMinor} currency={currency} />
  if (presetAmountMinor === null) return `The payer decides (${currency})`
  return (
    <>
      <Money minor={presetAmountMinor} currency={currency} /> suggested
    </>
  )
}

function stateOf({ context }: Visit, link: ItemisedLink): string {
  return linkState(link, context.clock.now())
}

const linkPage = definePage({
  path: `${path}/:id`,
  operation: getPaymentLink,
  async show(visit) {
    const link = await visit.run(getPaymentLink, { id: visit.param('id') })
    const { items: payments } = await visit.run(listPayments, { paymentLinkId: link.id })
    const url = linkUrl(visit.context.publicUrl, visit.actor, link.id)
    return {
      title: link.title,
      content: (
        <>
          <PageHeader
            back={{ href: visit.href(path), text: 'Payment links' }}
            title={
              <>
                {link.title} <Status of={stateOf(visit, link)} />
              </>
            }
            actions={<Actions visit={visit} link={link} url={url} />}
          />
          <div class="stack">
            <Card title="Address">
              <CopyLine id="link-url" label="Address of the payment link" text={url} />
            </Card>
            <Card title="Details">
              <Facts
                facts={[
                  ['Amount', price(link)],
                  link.description !== null && ['Description', link.description],
                  link.reference !== null && ['Reference', link.reference],
                  Object.keys(link.payerFields).length > 0 && [
                    'Payers are asked for',
                    payerFieldsText(link.payerFields),
                  ],
                  link.returnUrl !== null && ['Payers return to', link.returnUrl],
                  link.expiresAt && ['Expires', <Moment at={link.expiresAt} zone={visit.zone} />],
                  ['Created', <Moment at={link.createdAt} zone={visit.zone} />],
                ]}
              />
            </Card>
            {link.items.length > 0 && <LinkItems visit={visit} link={link} />}
            <section>
              <h2>Payments</h2>
              {payments.length === 0 ? (
                <EmptyState title="Not paid yet">
                  Payments through this link appear here.
                </EmptyState>
              ) : (
                <PaymentTable visit={visit} payments={payments} />
              )}
            </section>
          </div>
        </>
      ),
    }
  },
})

function Actions({ visit, link, url }: { visit: Visit; link: ItemisedLink; url: string }) {
  const isOff = link.state === 'disabled'
  return (
    <>
      <a class="btn" href={url} target="_blank" rel="noreferrer">
        Open
      </a>
      {visit.may(linkInvoice) && (
        <a class="btn" href={visit.href(`${path}/${link.id}/invoice`)}>
          Pays an invoice
        </a>
      )}
      {visit.may(updatePaymentLink) && (
        <ActionButton
          action={visit.href(`${path}/${link.id}/switch`)}
          token={visit.context.ids.uuid()}
          label={isOff ? 'Switch on' : 'Switch off'}
          fields={{ disabled: isOff ? 'no' : 'yes' }}
        />
      )}
    </>
  )
}

const switchForm = defineAction({
  path: `${path}/:id/switch`,
  operation: updatePaymentLink,
  input: (visit, form) => ({ id: visit.param('id'), disabled: form.get('disabled') === 'yes' }),
  page: (visit) => visit.href(`${path}/${visit.param('id')}`),
  done: (visit, { id, state }) => ({
    location: visit.href(`${path}/${id}`),
    message: state === 'disabled' ? 'The link is off. No one can pay it.' : 'The link is on again.',
  }),
})

export const paymentLinksPages = [...listPage, ...linkPage, ...switchForm, ...linkItemForm]

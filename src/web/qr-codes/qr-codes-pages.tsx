// QR codes: the list, one code with its image, a sheet to print, and switching it off and on.
import { linkInvoice } from '../../books/service-money/link-invoice.ts'
import type { Brand } from '../../kernel/brand/brand.ts'
import { getBrand } from '../../kernel/brand/get-brand.ts'
import { BrandLogo } from '../../kernel/web/brand-parts.tsx'
import { Card } from '../../kernel/web/components.tsx'
import { qrCodeUrl } from '../../merchant/checkout/page-addresses.ts'
import { listPayments } from '../../merchant/payments/list-payments.ts'
import { createQrCode } from '../../merchant/qr-codes/create-qr-code.ts'
import { getQrCode } from '../../merchant/qr-codes/get-qr-code.ts'
import { listQrCodes } from '../../merchant/qr-codes/list-qr-codes.ts'
import type { QrCode } from '../../merchant/qr-codes/qr-code.ts'
import { updateQrCode } from '../../merchant/qr-codes/update-qr-code.ts'
import { ActionButton } from '../components/app-form.tsx'
import { CopyLine } from '../components/copy-line.tsx'
import { Moment } from '../components/moment.tsx'
import { Money } from '../components/money.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Status } from '../components/status.tsx'
import { EmptyState, Pager, Table } from '../components/table.tsx'
import { PaymentTable } from '../payments/payment-table.tsx'
import { defineAction, definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'

const path = '/qr-codes'

const listPage = definePage({
  path,
  operation: listQrCodes,
  async show(visit) {
    const startingAfter = visit.query.get('after') ?? undefined
    const { items, nextCursor } = await visit.run(listQrCodes, { startingAfter })
    const create = visit.may(createQrCode) && (
      <a class="btn btn-primary" href={visit.href(`${path}/new`)}>
        New QR code
      </a>
    )
    return {
      title: 'QR codes',
      content: (
        <>
          <PageHeader
            title="QR codes"
            lead="Print a code for your counter, or show it on a screen. Customers scan and pay."
            actions={create}
          />
          {items.length === 0 ? (
            <EmptyState title="No QR codes yet" action={create}>
              Create a code, print its sheet and put it where people pay.
            </EmptyState>
          ) : (
            <CodeTable visit={visit} codes={items} />
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

function CodeTable({ visit, codes }: { visit: Visit; codes: readonly QrCode[] }) {
  return (
    <Table
      caption="QR codes"
      rows={codes}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => visit.href(`${path}/${id}`)}
      columns={[
        { label: 'Description', cell: titleOf },
        { label: 'Amount', cell: price },
        { label: 'Status', cell: ({ state }) => <Status of={state} /> },
        { label: 'Created', cell: ({ createdAt }) => <Moment at={createdAt} zone={visit.zone} /> },
      ]}
    />
  )
}

function titleOf({ description }: QrCode): string {
  return description ?? 'QR code'
}

function price({ mode, amountMinor, currency }: QrCode) {
  if (amountMinor === null) return `The payer decides (${currency})`
  const amount = <Money minor={amountMinor} currency={currency} />
  return mode === 'open_amount' ? <>{amount} suggested</> : amount
}

const codePage = definePage({
  path: `${path}/:id`,
  operation: getQrCode,
  async show(visit) {
    const code = await visit.run(getQrCode, { id: visit.param('id') })
    const [{ items }, brand] = await Promise.all([
      visit.run(listPayments, { qrCodeId: code.id }),
      visit.run(getBrand, {}),
    ])
    const url = qrCodeUrl(visit.context.publicUrl, visit.actor, code.id)
    return {
      title: titleOf(code),
      content: (
        <>
          <PageHeader
            back={{ href: visit.href(path), text: 'QR codes' }}
            title={
              <>
                {titleOf(code)} <Status of={code.state} />
              </>
            }
            lead={code.singleUse ? 'For one payment.' : undefined}
            actions={<Actions visit={visit} code={code} url={url} />}
          />
          <div class="stack">
            <div class="split">
              <Sheet visit={visit} code={code} url={url} brand={brand} />
              <Card title="Address">
                <p class="quiet">The code leads to this page. You can also send the address.</p>
                <CopyLine id="code-url" label="Address of the QR code" text={url} />
              </Card>
            </div>
            <section class="no-print">
              <h2>Payments</h2>
              {items.length === 0 ? (
                <EmptyState title="Not paid yet">Payments with this code appear here.</EmptyState>
              ) : (
                <PaymentTable visit={visit} payments={items} />
              )}
            </section>
          </div>
        </>
      ),
    }
  },
})

type CodeProps = { visit: Visit; code: QrCode; url: string }

// What is printed.
function Sheet({ visit, code, url, brand }: CodeProps & { brand: Brand }) {
  const { businessId, businessName } = visit.membership
  const { pathname } = new URL(url)
  return (
    <article class="card qr-sheet">
      <div class="card-body">
        <BrandLogo brand={brand} businessId={businessId} name="" />
        <p class="qr-business">{businessName}</p>
        <p class="qr-price">{price(code)}</p>
        <img src={`${pathname}.svg`} alt="QR code to pay with" width="240" height="240" />
        <p>{code.description}</p>
        <p class="quiet mb-0">Scan the code with the camera of your phone and pay.</p>
      </div>
    </article>
  )
}

function Actions({ visit, code, url }: CodeProps) {
  const isOff = code.state === 'disabled'
  return (
    <>
      <a
        class="btn"
        href={`${new URL(url).pathname}.png`}
        data-turbo="false"
        download="qr-code.png"
      >
        Download image
      </a>
      <button type="button" class="btn" data-print hidden>
        Print
      </button>
      {visit.may(linkInvoice) && (
        <a class="btn" href={visit.href(`${path}/${code.id}/invoice`)}>
          Pays an invoice
        </a>
      )}
      {code.state !== 'used' && visit.may(updateQrCode) && (
        <ActionButton
          action={visit.href(`${path}/${code.id}/switch`)}
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
  operation: updateQrCode,
  input: (visit, form) => ({ id: visit.param('id'), disabled: form.get('disabled') === 'yes' }),
  page: (visit) => visit.href(`${path}/${visit.param('id')}`),
  done: (visit, { id, state }) => ({
    location: visit.href(`${path}/${id}`),
    message: state === 'disabled' ? 'The code is off. No one can pay it.' : 'The code is on again.',
  }),
})

export const qrCodesPages = [...listPage, ...codePage, ...switchForm]

// The quote as the customer sees it. Components depend only on their properties.

import type { Brand } from '../../kernel/brand/brand.ts'
import { grouped } from '../../kernel/money/decimal.ts'
import { BrandContact, BrandLogo } from '../../kernel/web/brand-parts.tsx'
import { Alert } from '../../kernel/web/components.tsx'
import { ErrorSummary, TextField } from '../../kernel/web/form.tsx'
import type { DocumentSnapshot, SnapshotParty } from '../documents/document-snapshot.ts'
import { longDate } from '../documents/pdf/words.ts'

export type ShownQuote = {
  readonly snapshot: DocumentSnapshot
  readonly state: 'sent' | 'accepted' | 'declined' | 'expired'
  readonly decidedByName: string | null
  readonly pdfPath: string
  readonly isSandbox: boolean
  readonly businessId: string
  readonly brand: Brand
}

export type QuoteForm = {
  readonly name: string
  readonly reason: string
  readonly problems: Readonly<Record<string, string>>
}

export function QuoteOffer({ shown, form }: { shown: ShownQuote; form: QuoteForm }) {
  const { snapshot, state, isSandbox } = shown
  return (
    <div class="form-page quote branded">
      {isSandbox && (
        <div class="mb-3">
          <Alert tone="unsure">
            <strong>Test mode:</strong> this quote is a test and not binding.
          </Alert>
        </div>
      )}
      <ErrorSummary problems={form.problems} />
      <BrandLogo {...shown} name={snapshot.organisation.name} />
      <p class="quiet mb-1">{snapshot.organisation.name}</p>
      <h1>Quote {snapshot.number}</h1>
      <p class="lead">
        {snapshot.currency} {grouped(snapshot.total)}
        {state === 'sent' && snapshot.dueDate && <>, valid until {longDate(snapshot.dueDate)}</>}
      </p>
      <Outcome shown={shown} />
      <Parties snapshot={snapshot} />
      <Lines snapshot={snapshot} />
      {snapshot.notes !== null && <p class="quote-notes">{snapshot.notes}</p>}
      <p>
        <a href={shown.pdfPath}>Download as PDF</a>
      </p>
      {state === 'sent' && <Answer form={form} />}
      <BrandContact brand={shown.brand} labels={{ terms: 'Terms', privacy: 'Privacy' }} />
    </div>
  )
}

function Outcome({ shown: { state, decidedByName, snapshot } }: { shown: ShownQuote }) {
  const by = decidedByName === null ? '' : ` by ${decidedByName}`
  const { name } = snapshot.organisation
  if (state === 'sent') return null
  return (
    <div class="mb-3" role="status">
      {state === 'accepted' && (
        <Alert tone="good">
          <strong>Accepted{by}.</strong> Thank you. {name} has been notified and will contact you.
        </Alert>
      )}
      {state === 'declined' && (
        <Alert tone="plain">
          <strong>Declined{by}.</strong> {name} has been notified.
        </Alert>
      )}
      {state === 'expired' && (
        <Alert tone="unsure">
          <strong>This quote can no longer be accepted.</strong> Ask {name} for a new one.
        </Alert>
      )}
    </div>
  )
}

function Parties({ snapshot }: { snapshot: DocumentSnapshot }) {
  return (
    <dl class="facts">
      <dt>From</dt>
      <dd>
        <Party party={snapshot.organisation} />
      </dd>
      <dt>For</dt>
      <dd>
        <Party party={snapshot.contact} />
      </dd>
      <dt>Date</dt>
      <dd>{longDate(snapshot.date)}</dd>
      {snapshot.reference !== null && (
        <>
          <dt>Reference</dt>
          <dd>{snapshot.reference}</dd>
        </>
      )}
    </dl>
  )
}

function Party({ party: { name, address, taxNumber } }: { party: SnapshotParty }) {
  return (
    <>
      {name}
      {address !== null && <span class="quote-address">{address}</span>}
      {taxNumber !== null && <span class="quote-address">Tax number {taxNumber}</span>}
    </>
  )
}

function Lines({ snapshot }: { snapshot: DocumentSnapshot }) {
  const { lines, taxes, currency } = snapshot
  return (
    <table class="quote-lines">
      <caption class="visually-hidden">Items of the quote, in {currency}</caption>
      <thead>
        <tr>
          <th scope="col">Description</th>
          <th scope="col">Quantity</th>
          <th scope="col">Price</th>
          <th scope="col">Net</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line, index) => (
          <tr key={index}>
            <td>
              {line.description}
              {line.discountPct !== null && <span class="quiet"> less {line.discountPct} %</span>}
            </td>
            <td data-label="Quantity">{line.quantity}</td>
            <td data-label="Price">{grouped(line.unitPrice)}</td>
            <td data-label="Net">{grouped(line.net)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <Sum label="Subtotal" amount={snapshot.subtotal} />
        {taxes.map(({ component, rate, tax }, index) => (
          <Sum key={index} label={`${component} ${rate} %`} amount={tax} />
        ))}
        <Sum label={`Total in ${currency}`} amount={snapshot.total} isTotal />
      </tfoot>
    </table>
  )
}

function Sum({ label, amount, isTotal }: { label: string; amount: string; isTotal?: boolean }) {
  return (
    <tr {...(isTotal && { class: 'quote-total' })}>
      <th scope="row" colSpan={3}>
        {label}
      </th>
      <td>{grouped(amount)}</td>
    </tr>
  )
}

function Answer({ form }: { form: QuoteForm }) {
  const { name, reason, problems } = form
  return (
    <form method="post" class="card">
      <div class="card-body">
        <h2 class="card-title">Your answer</h2>
        <TextField
          name="name"
          label="Your name"
          value={name}
          error={problems.name}
          autocomplete="name"
        />
        <div class="actions mb-3">
          <button class="btn btn-primary" type="submit" name="decision" value="accept">
            Accept this quote
          </button>
        </div>
        <details {...(reason !== '' || problems.reason ? { open: true } : {})}>
          <summary>Decline instead</summary>
          <TextField
            name="reason"
            label="Reason"
            hint="Helps the sender improve the offer."
            value={reason}
            error={problems.reason}
            isOptional
          />
          <button class="btn" type="submit" name="decision" value="decline">
            Decline this quote
          </button>
        </details>
      </div>
    </form>
  )
}

// The quote as the customer sees it. Components depend only on their properties.

import type { Brand } from '../../kernel/brand/brand.ts'
import { BrandContact, BrandLogo } from '../../kernel/web/brand-parts.tsx'
import { Alert } from '../../kernel/web/components.tsx'
import { ErrorSummary, TextField } from '../../kernel/web/form.tsx'
import type { PayerTexts } from '../../payer-texts/english.ts'
import { LanguageChoice } from '../../payer-texts/language-choice.tsx'
import type { PayerLanguage } from '../../payer-texts/payer-language.ts'
import type { DocumentSnapshot, SnapshotParty } from '../documents/document-snapshot.ts'
import { taxLabel } from '../taxes/tax-label.ts'

export type ShownQuote = {
  readonly snapshot: DocumentSnapshot
  readonly state: 'sent' | 'accepted' | 'declined' | 'expired'
  readonly decidedByName: string | null
  readonly pdfPath: string
  readonly isSandbox: boolean
  readonly businessId: string
  readonly brand: Brand
  readonly language: PayerLanguage
  readonly path: string
}

export type QuoteForm = {
  readonly name: string
  readonly reason: string
  readonly problems: Readonly<Record<string, string>>
}

export function QuoteOffer({ shown, form }: { shown: ShownQuote; form: QuoteForm }) {
  const { snapshot, state, isSandbox, language } = shown
  const { texts, day } = language
  const { quote } = texts
  return (
    <div class="form-page quote branded">
      {isSandbox && (
        <div class="mb-3">
          <Alert tone="unsure">
            <strong>{texts.testMode.label}</strong> {quote.sandbox}
          </Alert>
        </div>
      )}
      <ErrorSummary problems={form.problems} />
      <BrandLogo {...shown} name={snapshot.organisation.name} />
      <p class="quiet mb-1">{snapshot.organisation.name}</p>
      <h1>{quote.title(snapshot.number ?? '')}</h1>
      <p class="lead">
        {snapshot.currency} {language.number(snapshot.total)}
        {state === 'sent' && snapshot.dueDate && `, ${quote.validUntil(day(snapshot.dueDate))}`}
      </p>
      <Outcome shown={shown} />
      <Parties snapshot={snapshot} language={language} />
      <Lines snapshot={snapshot} language={language} />
      {snapshot.notes !== null && <p class="quote-notes">{snapshot.notes}</p>}
      <p>
        <a href={shown.pdfPath}>{quote.download}</a>
      </p>
      {state === 'sent' && <Answer form={form} texts={texts} />}
      <BrandContact brand={shown.brand} labels={texts} />
      <LanguageChoice language={language} path={shown.path} />
    </div>
  )
}

function Outcome({ shown: { state, decidedByName: by, snapshot, language } }: OutcomeProps) {
  const { name } = snapshot.organisation
  const { quote } = language.texts
  if (state === 'sent') return null
  return (
    <div class="mb-3" role="status">
      {state === 'accepted' && (
        <Alert tone="good">
          <strong>{by === null ? quote.accepted : quote.acceptedBy(by)}</strong>{' '}
          {quote.acceptedNext(name)}
        </Alert>
      )}
      {state === 'declined' && (
        <Alert tone="plain">
          <strong>{by === null ? quote.declined : quote.declinedBy(by)}</strong>{' '}
          {quote.declinedNext(name)}
        </Alert>
      )}
      {state === 'expired' && (
        <Alert tone="unsure">
          <strong>{quote.expired}</strong> {quote.expiredNext(name)}
        </Alert>
      )}
    </div>
  )
}

type OutcomeProps = { shown: ShownQuote }
type PartProps = { snapshot: DocumentSnapshot; language: PayerLanguage }

function Parties({ snapshot, language }: PartProps) {
  const { facts, quote } = language.texts
  return (
    <dl class="facts">
      <dt>{facts.from}</dt>
      <dd>
        <Party party={snapshot.organisation} texts={language.texts} />
      </dd>
      <dt>{quote.preparedFor}</dt>
      <dd>
        <Party party={snapshot.contact} texts={language.texts} />
      </dd>
      <dt>{quote.date}</dt>
      <dd>{language.day(snapshot.date)}</dd>
      {snapshot.reference !== null && (
        <>
          <dt>{quote.reference}</dt>
          <dd>{snapshot.reference}</dd>
        </>
      )}
    </dl>
  )
}

type PartyProps = { party: SnapshotParty; texts: PayerTexts }

function Party({ party: { name, address, taxNumber }, texts: { quote } }: PartyProps) {
  return (
    <>
      {name}
      {address !== null && <span class="quote-address">{address}</span>}
      {taxNumber !== null && <span class="quote-address">{quote.taxNumber(taxNumber)}</span>}
    </>
  )
}

function Lines({ snapshot, language: { texts, number } }: PartProps) {
  const { quote } = texts
  const { lines, taxes, currency } = snapshot
  return (
    <table class="quote-lines">
      <caption class="visually-hidden">{quote.items(currency)}</caption>
      <thead>
        <tr>
          <th scope="col">{quote.description}</th>
          <th scope="col">{quote.quantity}</th>
          <th scope="col">{quote.price}</th>
          <th scope="col">{quote.net}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line, index) => (
          <tr key={index}>
            <td>
              {line.description}
              {line.discountPct !== null && (
                <span class="quiet"> {quote.less(line.discountPct)}</span>
              )}
            </td>
            <td data-label={quote.quantity}>{number(line.quantity)}</td>
            <td data-label={quote.price}>{number(line.unitPrice)}</td>
            <td data-label={quote.net}>{number(line.net)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <Sum label={quote.subtotal} amount={number(snapshot.subtotal)} />
        {taxes.map(({ component, rate, tax }, index) => (
          <Sum key={index} label={taxLabel(component, rate)} amount={number(tax)} />
        ))}
        <Sum label={quote.totalIn(currency)} amount={number(snapshot.total)} isTotal />
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
      <td>{amount}</td>
    </tr>
  )
}

function Answer({ form, texts: { quote } }: { form: QuoteForm; texts: PayerTexts }) {
  const { name, reason, problems } = form
  return (
    <form method="post" class="card">
      <div class="card-body">
        <h2 class="card-title">{quote.answer}</h2>
        <TextField
          name="name"
          label={quote.name}
          value={name}
          error={problems.name}
          autocomplete="name"
        />
        <div class="actions mb-3">
          <button class="btn btn-primary" type="submit" name="decision" value="accept">
            {quote.accept}
          </button>
        </div>
        <details {...(reason !== '' || problems.reason ? { open: true } : {})}>
          <summary>{quote.declineInstead}</summary>
          <TextField
            name="reason"
            label={quote.reason}
            hint={quote.reasonHint}
            value={reason}
            error={problems.reason}
            isOptional
          />
          <button class="btn" type="submit" name="decision" value="decline">
            {quote.decline}
          </button>
        </details>
      </div>
    </form>
  )
}

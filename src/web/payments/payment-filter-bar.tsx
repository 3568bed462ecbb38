// Search, chips and fields above the list of payments. The form sends what the chips have chosen
// too, so that one filter does not undo another.
import type { ComponentChildren } from 'preact'
import { TextField } from '../../kernel/web/form.tsx'
import type { PaymentStatus } from '../../merchant/payments/payment.ts'
import { FilterChips } from '../components/filter-chips.tsx'
import { Icon } from '../components/icon.tsx'
import { findPeriod, periodLabels } from '../components/period.ts'
import type { Visit } from '../shell/visit.ts'
import { changed, type FilterName, type PaymentQuery } from './payment-query.ts'

export const paymentsPath = '/payments'

const statusLabels: Readonly<Record<PaymentStatus, string>> = {
  pending: 'Pending',
  processing: 'Processing',
  succeeded: 'Succeeded',
  partially_refunded: 'Partly refunded',
  refunded: 'Refunded',
  failed: 'Failed',
  cancelled: 'Cancelled',
}

const methodLabels: Readonly<Record<string, string>> = {
  card: 'Card',
  account: 'Bank account',
  bank_transfer: 'Bank transfer',
  ussd: 'USSD',
  mobilemoney: 'Mobile money',
}

type BarProps = {
  visit: Visit
  query: PaymentQuery
  // The currencies that the business has.
  currencies: readonly string[]
  // Names of what is filtered by an id.
  names: Readonly<Partial<Record<FilterName, string>>>
}

export function PaymentFilterBar({ visit, query, currencies, names }: BarProps) {
  const { values } = query
  const href = (changes: Parameters<typeof changed>[1]) =>
    visit.href(paymentsPath, changed(values, changes))
  return (
    <search class="list-filter">
      <form method="get" action={visit.href(paymentsPath)}>
        <div class="search-line">
          <label class="visually-hidden" for="q">
            Search payments
          </label>
          <Icon name="search" />
          <input
            class="form-control"
            id="q"
            name="q"
            type="search"
            value={values.q ?? ''}
            placeholder="E-mail, name, reference or amount"
            autocomplete="off"
          />
          <button class="btn" type="submit">
            Search
          </button>
        </div>
        {keptFields(values)}
        <MoreFields query={query} currencies={currencies} />
      </form>
      <FilterChips
        label="Status"
        chosen={statusOf(values.status)}
        choices={statusLabels}
        hrefOf={(status) => href({ status })}
      />
      <FilterChips
        label="Period"
        allLabel="Any time"
        chosen={findPeriod(values.period ?? null)}
        choices={periodLabels}
        hrefOf={(period) => href({ period, from: undefined, to: undefined })}
      />
      <Chosen query={query} names={names} href={(name) => href({ [name]: undefined })} />
    </search>
  )
}

function statusOf(text: string | undefined): PaymentStatus | undefined {
  return Object.keys(statusLabels).find((one): one is PaymentStatus => one === text)
}

// What the chips and links of other pages have chosen.
function keptFields(values: PaymentQuery['values']): ComponentChildren {
  return (['status', 'period', 'link', 'code'] as const).map(
    (name) => values[name] && <input key={name} type="hidden" name={name} value={values[name]} />,
  )
}

const moreNames = ['payer', 'currency', 'min', 'max', 'method', 'from', 'to'] as const

function MoreFields({ query, currencies }: Pick<BarProps, 'query' | 'currencies'>) {
  const { values, problems } = query
  const field = (name: FilterName) => ({ name, value: values[name] ?? '', error: problems[name] })
  const isOpen = moreNames.some((name) => values[name] !== undefined)
  return (
    <details class="more-filters" open={isOpen}>
      <summary>More filters</summary>
      <div class="filter-bar">
        <TextField {...field('payer')} label="Payer’s e-mail" isOptional />
        <TextField {...field('min')} label="Amount from" inputMode="decimal" isOptional />
        <TextField {...field('max')} label="Amount to" inputMode="decimal" isOptional />
        <Select {...field('currency')} label="Currency" choices={ownLabels(currencies)} />
        <Select {...field('method')} label="Method" choices={methodLabels} />
        <TextField {...field('from')} label="From" type="date" isOptional />
        <TextField {...field('to')} label="To" type="date" isOptional />
        <button class="btn btn-primary mb-3" type="submit">
          Apply
        </button>
      </div>
    </details>
  )
}

const ownLabels = (texts: readonly string[]) =>
  Object.fromEntries(texts.map((text) => [text, text]))

type SelectProps = {
  name: FilterName
  label: string
  value: string
  choices: Readonly<Record<string, string>>
}

function Select({ name, label, value, choices }: SelectProps) {
  return (
    <div class="mb-3">
      <label class="form-label" for={name}>
        {label}
      </label>
      <select class="form-select" id={name} name={name}>
        <option value="">Any</option>
        {Object.entries(choices).map(([key, text]) => (
          <option key={key} value={key} selected={key === value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}

const chosenLabels: Readonly<Partial<Record<FilterName, string>>> = {
  q: 'Search',
  payer: 'Payer',
  min: 'At least',
  max: 'At most',
  currency: 'Currency',
  method: 'Method',
  from: 'From',
  to: 'To',
  link: 'Payment link',
  code: 'QR code',
}

type ChosenProps = Pick<BarProps, 'query' | 'names'> & { href: (name: FilterName) => string }

// Each filter that is not shown as a chip already, with a way to remove it.
function Chosen({ query: { values }, names, href }: ChosenProps) {
  const chosen = Object.entries(chosenLabels).flatMap(([key, label]) => {
    const name = key as FilterName
    const value = values[name]
    return value === undefined ? [] : [{ name, label, text: names[name] ?? value }]
  })
  if (chosen.length === 0) return null
  return (
    <ul class="chosen-filters" aria-label="Filters">
      {chosen.map(({ name, label, text }) => (
        <li key={name}>
          <span>
            {label}: <strong>{name === 'method' ? (methodLabels[text] ?? text) : text}</strong>
          </span>
          <a href={href(name)} aria-label={`Remove the filter ${label}: ${text}`}>
            ×
          </a>
        </li>
      ))}
    </ul>
  )
}

// Currencies and exchange rates: which are in use, the rate of each day, entering and importing
// rates, and revaluing what is open in foreign money.
import { listCurrencies } from '../../books/currencies/list-currencies.ts'
import { listExchangeRates } from '../../books/currencies/list-exchange-rates.ts'
import { revalueBalances } from '../../books/currencies/revalue-balances.ts'
import { setExchangeRate } from '../../books/currencies/set-exchange-rate.ts'
import { importCsv } from '../../books/imports/import-csv.ts'
import { addDays } from '../../kernel/basics/calendar.ts'
import { Badge } from '../../kernel/web/components.tsx'
import { TextField } from '../../kernel/web/form.tsx'
import { Day } from '../components/day.tsx'
import { FilterChips } from '../components/filter-chips.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { EmptyState, Pager, Table } from '../components/table.tsx'
import { definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'

export const currenciesPath = '/settings/currencies'
const pageSize = 100

type Used = Awaited<ReturnType<typeof listCurrencies.run>>

export const currencyPages = definePage({
  path: currenciesPath,
  operation: listCurrencies,
  async show(visit) {
    const [used, rates] = await Promise.all([visit.run(listCurrencies, {}), readRates(visit)])
    return {
      title: 'Currencies and rates',
      content: (
        <>
          <PageHeader
            back={{ href: visit.href('/settings'), text: 'Settings' }}
            title="Currencies and rates"
            lead={`Your books are kept in ${used.baseCurrency}. A rate says what one unit of another currency is worth in it.`}
            actions={<Acts visit={visit} />}
          />
          <UsedCurrencies visit={visit} {...used} />
          {used.currencies.length > 0 && (
            <>
              <h2 class="mt-4">Rates</h2>
              <RateFilter visit={visit} {...used} />
              <Rates visit={visit} rates={rates} />
            </>
          )}
        </>
      ),
    }
  },
})

function filterOf({ query }: Visit) {
  const value = (name: string) => query.get(name) || undefined
  return { currency: value('currency')?.toUpperCase(), from: value('from'), to: value('to') }
}

async function readRates(visit: Visit) {
  return visit.run(listExchangeRates, { ...filterOf(visit), limit: pageSize })
}

function Acts({ visit }: { visit: Visit }) {
  return (
    <>
      {visit.may(revalueBalances) && (
        <a class="btn" href={visit.href(`${currenciesPath}/revalue`)}>
          Revalue
        </a>
      )}
      {visit.may(importCsv) && (
        <a class="btn" href={visit.href(`${currenciesPath}/rates/import`)}>
          Import rates
        </a>
      )}
      {visit.may(setExchangeRate) && (
        <a class="btn btn-primary" href={visit.href(`${currenciesPath}/rates/new`)}>
          New rate
        </a>
      )}
    </>
  )
}

function UsedCurrencies({ visit, baseCurrency, currencies }: Used & { visit: Visit }) {
  if (currencies.length === 0) {
    return (
      <EmptyState title="Only one currency so far">
        Enter a rate, and you can invoice and pay in that currency. What you gain or lose by rates
        is booked for you.
      </EmptyState>
    )
  }
  return (
    <Table
      caption="Currencies in use"
      rows={currencies}
      keyOf={({ currency }) => currency}
      hrefOf={({ currency }) => visit.href(currenciesPath, { currency })}
      columns={[
        { label: 'Currency', cell: ({ currency }) => currency },
        {
          label: `Newest rate in ${baseCurrency}`,
          isNumber: true,
          cell: ({ rate }) => rate ?? <Badge tone="bad">No rate</Badge>,
        },
        { label: 'Since', cell: ({ rateDate }) => rateDate && <Day of={rateDate} /> },
        { label: 'Open items', isNumber: true, cell: ({ openItems }) => String(openItems) },
        {
          label: 'Actions',
          cell: ({ currency }) =>
            visit.may(setExchangeRate) && (
              <a href={visit.href(`${currenciesPath}/rates/new`, { currency })}>
                Enter a rate <span class="visually-hidden">of {currency}</span>
              </a>
            ),
        },
      ]}
    />
  )
}

function RateFilter({ visit, currencies }: Used & { visit: Visit }) {
  const { currency, from, to } = filterOf(visit)
  return (
    <>
      <FilterChips
        label="Currencies"
        chosen={currency}
        choices={Object.fromEntries(currencies.map((one) => [one.currency, one.currency]))}
        hrefOf={(choice) => visit.href(currenciesPath, { currency: choice, from, to })}
      />
      <form class="filter-bar" method="get">
        {currency && <input type="hidden" name="currency" value={currency} />}
        <TextField name="from" label="From" type="date" value={from ?? ''} isOptional />
        <TextField name="to" label="To" type="date" value={to ?? ''} isOptional />
        <button class="btn mb-3" type="submit">
          Show
        </button>
      </form>
    </>
  )
}

type RatesProps = { visit: Visit; rates: Awaited<ReturnType<typeof readRates>> }

// A full page leads on to the days before its last; a day has few rates, so none is left out.
function Rates({ visit, rates }: RatesProps) {
  const last = rates.at(-1)
  if (!last) return <p class="quiet">No rates here.</p>
  const filter = filterOf(visit)
  const isFull = rates.length === pageSize
  const whole = isFull ? rates.filter(({ date }) => date > last.date) : rates
  const shown = whole.length > 0 ? whole : rates
  const before = shown === rates ? addDays(last.date, -1) : last.date
  return (
    <>
      <Table
        caption="Exchange rates"
        rows={shown}
        keyOf={({ currency, date }) => `${currency} ${date}`}
        columns={[
          { label: 'Date', cell: ({ date }) => <Day of={date} /> },
          { label: 'Currency', cell: ({ currency }) => currency },
          { label: 'Rate', isNumber: true, cell: ({ rate }) => rate },
        ]}
      />
      <Pager
        firstHref={filter.to ? visit.href(currenciesPath, { ...filter, to: undefined }) : undefined}
        nextHref={isFull ? visit.href(currenciesPath, { ...filter, to: before }) : undefined}
      />
    </>
  )
}

// Entering one exchange rate or many, and revaluing foreign balances.
import { revalueBalances } from '../../books/currencies/revalue-balances.ts'
import { setExchangeRate } from '../../books/currencies/set-exchange-rate.ts'
import type { ImportProblem } from '../../books/imports/import.ts'
import { importCsv } from '../../books/imports/import-csv.ts'
import { getOrganisation } from '../../books/settings/get-organisation.ts'
import { today } from '../../books/settings/organisation.ts'
import { invalidField } from '../../kernel/basics/fault.ts'
import { DraftText, DraftTextArea } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { formatMoney } from '../components/money.tsx'
import { type Draft, defineForm } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { currenciesPath as path } from './currency-pages.tsx'

const back = (visit: Visit) => ({ href: visit.href(path), text: 'Currencies and rates' })

async function readBooks(visit: Visit) {
  const organisation = await visit.run(getOrganisation, {})
  return { ...organisation, day: today(organisation, visit.context.clock.now()) }
}

const rateForm = defineForm({
  path: `${path}/rates/new`,
  operation: setExchangeRate,
  input: (_visit, form) => ({
    currency: (form.get('currency') ?? '').trim().toUpperCase(),
    date: form.get('date') ?? '',
    rate: (form.get('rate') ?? '').trim().replace(/^(\d+),(\d+)$/, '$1.$2'),
  }),
  async show(visit, draft) {
    const { baseCurrency, day } = await readBooks(visit)
    return formPage({
      title: 'New exchange rate',
      back: back(visit),
      draft,
      submit: 'Save rate',
      children: (
        <>
          <DraftText draft={draft} name="currency" label="Currency" hint="For example USD." />
          <DraftText
            draft={draft}
            name="date"
            label="From this day on"
            hint="It applies until the next rate. A rate of the same day is replaced."
            type="date"
            initial={day}
          />
          <DraftText
            draft={draft}
            name="rate"
            label={`What one unit is worth in ${baseCurrency}`}
            hint="Entries that are posted keep the rate they were posted with."
            inputMode="decimal"
          />
        </>
      ),
    })
  },
  done: (visit, { currency, rate }) => ({
    location: visit.href(path, { currency }),
    message: `The rate of ${currency} is ${rate}.`,
  }),
})

const importForm = defineForm({
  path: `${path}/rates/import`,
  operation: importCsv,
  input: (_visit, form) => ({
    name: 'exchange-rates' as const,
    bytes: new TextEncoder().encode(form.get('csv') ?? ''),
  }),
  async show(visit, draft) {
    const { baseCurrency, day } = await readBooks(visit)
    return formPage({
      title: 'Import exchange rates',
      back: back(visit),
      draft: textProblem(draft),
      submit: 'Import rates',
      children: (
        <>
          <p>
            Paste rows from a spreadsheet or a CSV file. The first row names the columns currency,
            date and rate. All rows are saved, or none.
          </p>
          <pre>
            {`currency,date,rate\nUSD,${day},0.92`}
            {baseCurrency !== 'GBP' && `\nGBP,${day},1.17`}
          </pre>
          <DraftTextArea draft={textProblem(draft)} name="csv" label="Rows" />
        </>
      ),
    })
  },
  done(visit, { made, problems }) {
    if (problems.length > 0) throw invalidField('csv', problemText(problems))
    return {
      location: visit.href(path),
      message: made === 1 ? 'One rate is saved.' : `${made} rates are saved.`,
    }
  },
})

const problemsMax = 10

function problemText(problems: readonly ImportProblem[]): string {
  const texts = problems.slice(0, problemsMax).map(({ row, column, message }) => {
    const place = [row === null ? [] : `Row ${row}`, column ?? []].flat().join(', ')
    return place === '' ? message : `${place}: ${message}`
  })
  const left = problems.length - texts.length
  return [...texts, ...(left > 0 ? [`${left} more problems.`] : [])].join(' ')
}

// What is wrong with the file as a whole is said at the text.
function textProblem(draft: Draft): Draft {
  if (!draft.refusal || draft.problems.csv) return draft
  return { ...draft, refusal: undefined, problems: { csv: draft.refusal } }
}

const revalueForm = defineForm({
  path: `${path}/revalue`,
  operation: revalueBalances,
  input: (_visit, form) => ({ date: form.get('date') ?? '' }),
  async show(visit, draft) {
    const { day } = await readBooks(visit)
    return formPage({
      title: 'Revalue foreign balances',
      back: back(visit),
      draft,
      submit: 'Revalue',
      children: (
        <>
          <p>
            Restates foreign bank balances, invoices and bills that are open at the rates of a day.
            The difference is posted as an unrealised gain or loss, and taken back the next day.
            Doing it again for the same day posts only what has changed.
          </p>
          <DraftText draft={draft} name="date" label="Day" type="date" initial={day} />
        </>
      ),
    })
  },
  async done(visit, { gainMinor, sequence, date }) {
    const { baseCurrency } = await visit.run(getOrganisation, {})
    const result = gainMinor < 0n ? 'loss' : 'gain'
    const size = formatMoney(gainMinor < 0n ? -gainMinor : gainMinor, baseCurrency)
    if (sequence === null) {
      return { location: visit.href(path), message: `Nothing to post for ${date}.` }
    }
    return {
      location: visit.href(`/journal/${sequence}`),
      message: `Unrealised ${result} on ${date}: ${size}.`,
    }
  },
})

export const rateForms = [...rateForm, ...importForm, ...revalueForm]

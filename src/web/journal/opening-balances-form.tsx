// The balances with which the books start, as a grid of all accounts. It says what is missing to
// balance before it posts anything; the rest can go to opening balance equity.
import { controlSubtypes } from '../../books/accounts/control-account.ts'
import { listChart } from '../../books/accounts/list-chart.ts'
import { postOpeningBalances } from '../../books/journal/post-opening-balances.ts'
import { getOrganisation } from '../../books/settings/get-organisation.ts'
import { Fault, invalid, invalidField } from '../../kernel/basics/fault.ts'
import { initialAmount, readTypedAmount, typedAmount } from '../components/amount-field.ts'
import { DraftSelect, DraftText } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { type Draft, defineForm } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { AmountCell } from './amount-cell.tsx'
import { balanceSides, totalRowsOf, totalsOfTyped } from './opening-totals.ts'

const path = '/journal'

export const openingBalancesForm = defineForm({
  path: `${path}/opening-balances`,
  operation: postOpeningBalances,
  async input(visit, form) {
    const { baseCurrency } = await visit.run(getOrganisation, {})
    const accounts = await accountsOf(visit, baseCurrency)
    const balances = accounts.flatMap(({ id, code }) =>
      balanceSides
        .filter((side) => form.get(`${side}_${code}`)?.trim())
        .map((side) => ({
          id,
          side,
          minor: readTypedAmount(form, `${side}_${code}`, baseCurrency),
        })),
    )
    if (balances.length === 0) throw invalid('Enter the balance of at least one account.')
    const twice = balances.find(({ id }, index) => balances[index + 1]?.id === id)
    if (twice) {
      const code = accounts.find(({ id }) => id === twice.id)?.code
      throw invalidField(`credit_${code}`, 'Enter a debit or a credit, not both.')
    }
    const sum = (wanted: string) =>
      balances.reduce((total, { side, minor }) => total + (side === wanted ? minor : 0n), 0n)
    const [debit, credit] = [sum('debit'), sum('credit')]
    if (debit !== credit && form.get('rest') !== 'post') {
      const rest = initialAmount(debit > credit ? debit - credit : credit - debit, baseCurrency)
      const [more, less] = debit > credit ? ['debits', 'credits'] : ['credits', 'debits']
      throw new Fault('invalid_request', {
        formErrors: [],
        fieldErrors: {
          rest: [
            `The ${more} are ${rest} ${baseCurrency} more than the ${less}. Nothing is posted.`,
          ],
        },
      })
    }
    return {
      date: form.get('date') ?? '',
      balances: balances.map(({ id, side, minor }) => ({
        accountId: id,
        [side]: typedAmount(minor, baseCurrency),
      })),
    }
  },
  async show(visit, draft) {
    const { baseCurrency } = await visit.run(getOrganisation, {})
    const page = formPage({
      title: 'Opening balances',
      back: { href: visit.href(path), text: 'Journal' },
      draft,
      submit: 'Post opening balances',
      isWide: true,
      children: (
        <>
          <p>
            What every account held when your books start here, in {baseCurrency}. Enter what
            customers and suppliers owed as{' '}
            <a href={visit.href('/settings/imports')}>imported invoices and bills</a>, which also
            takes a file of balances, and accounts in other currencies.
          </p>
          <DraftText
            draft={draft}
            name="date"
            label="Day of the balances"
            hint="The last day before your books start here, for example 31 December."
            type="date"
          />
          <Grid
            draft={draft}
            accounts={await accountsOf(visit, baseCurrency)}
            currency={baseCurrency}
          />
          <DraftSelect
            draft={draft}
            name="rest"
            label="If debits and credits differ"
            initial="tell"
            choices={{
              tell: 'Post nothing and show me what is missing',
              post: 'Post the rest to opening balance equity',
            }}
          />
        </>
      ),
    })
    return { ...page, script: 'opening-balances.js' }
  },
  done: (visit, { sequence }) => ({
    location: visit.href(`${path}/${sequence}`),
    message: 'The opening balances are posted.',
  }),
})

type GridAccount = { readonly id: string; readonly code: string; readonly name: string }

// Without the control accounts, which consist of documents, and the account of the rest.
async function accountsOf(visit: Visit, baseCurrency: string): Promise<GridAccount[]> {
  const chart = await visit.run(listChart, {})
  return chart.filter(
    ({ active, subtype, currency }) =>
      active &&
      !controlSubtypes.includes(subtype) &&
      subtype !== 'opening_balance' &&
      (currency === null || currency === baseCurrency),
  )
}

const sideLabels = { debit: 'Debit', credit: 'Credit' } as const

type GridProps = { draft: Draft; accounts: readonly GridAccount[]; currency: string }

function Grid({ draft, accounts, currency }: GridProps) {
  const typed = accounts.flatMap(({ code }) =>
    balanceSides.map((side) => ({ side, text: draft.values.get(`${side}_${code}`) ?? '' })),
  )
  const rows = totalRowsOf(totalsOfTyped(typed, currency), currency)
  return (
    <div class="balance-grid mb-3" data-balances={currency}>
      <table class="data-table journal-lines">
        <caption class="visually-hidden">Balances of the accounts</caption>
        <thead>
          <tr>
            <th scope="col">Account</th>
            <th scope="col" class="number">
              Debit
            </th>
            <th scope="col" class="number">
              Credit
            </th>
          </tr>
        </thead>
        <tbody>
          {accounts.map(({ id, code, name }) => (
            <tr key={id}>
              <th scope="row" data-label="Account">
                {code} {name}
              </th>
              {balanceSides.map((side) => (
                <AmountCell key={side} draft={draft} side={side} row={code} />
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot aria-live="polite">
          {rows.map(({ label, texts }) => (
            <tr key={label} data-total>
              <th scope="row">{label}</th>
              {balanceSides.map((side) => (
                <td key={side} class="number" data-label={sideLabels[side]}>
                  <span class="money" data-of={side}>
                    {texts[side]}
                  </span>
                </td>
              ))}
            </tr>
          ))}
        </tfoot>
      </table>
    </div>
  )
}

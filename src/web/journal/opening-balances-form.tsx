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
import { Money } from '../components/money.tsx'
import { type Draft, defineForm } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { AmountCell } from './amount-cell.tsx'

const path = '/journal'
const sides = ['debit', 'credit'] as const

export const openingBalancesForm = defineForm({
  path: `${path}/opening-balances`,
  operation: postOpeningBalances,
  async input(visit, form) {
    const { baseCurrency } = await visit.run(getOrganisation, {})
    const accounts = await accountsOf(visit, baseCurrency)
    const balances = accounts.flatMap(({ id, code }) =>
      sides
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
    const { debit, credit } = totalsOf(balances)
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
    return formPage({
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

type Typed = { readonly side: 'debit' | 'credit'; readonly minor: bigint }

function totalsOf(balances: readonly Typed[]): { debit: bigint; credit: bigint } {
  const sum = (side: 'debit' | 'credit') =>
    balances.filter((one) => one.side === side).reduce((total, { minor }) => total + minor, 0n)
  return { debit: sum('debit'), credit: sum('credit') }
}

type GridProps = { draft: Draft; accounts: readonly GridAccount[]; currency: string }

function Grid({ draft, accounts, currency }: GridProps) {
  const { debit, credit } = totalsOf(typedIn(draft, accounts, currency))
  const missing = debit - credit
  return (
    <div class="table-card mb-3">
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
              {sides.map((side) => (
                <AmountCell key={side} draft={draft} side={side} row={code} />
              ))}
            </tr>
          ))}
        </tbody>
        {(debit > 0n || credit > 0n) && (
          <tfoot>
            <tr>
              <th scope="row">Total</th>
              <td class="number" data-label="Debit">
                <Money minor={debit} currency={currency} />
              </td>
              <td class="number" data-label="Credit">
                <Money minor={credit} currency={currency} />
              </td>
            </tr>
            {missing !== 0n && (
              <tr>
                <th scope="row">Missing to balance</th>
                <td class="number" data-label="Debit">
                  {missing < 0n && <Money minor={-missing} currency={currency} />}
                </td>
                <td class="number" data-label="Credit">
                  {missing > 0n && <Money minor={missing} currency={currency} />}
                </td>
              </tr>
            )}
          </tfoot>
        )}
      </table>
    </div>
  )
}

// What can be read of what was typed.
function typedIn(draft: Draft, accounts: readonly GridAccount[], currency: string): Typed[] {
  return accounts.flatMap(({ code }) =>
    sides.flatMap((side) => {
      try {
        return [{ side, minor: readTypedAmount(draft.values, `${side}_${code}`, currency) }]
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        return []
      }
    }),
  )
}

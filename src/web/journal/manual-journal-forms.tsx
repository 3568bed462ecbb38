// Posting a manual journal, for facts without a document or payment, and reversing one.
import { listAccounts } from '../../books/accounts/list-accounts.ts'
import { getJournalEntry } from '../../books/journal/get-journal-entry.ts'
import { postManualJournal } from '../../books/journal/post-manual-journal.ts'
import { reverseManualJournal } from '../../books/journal/reverse-manual-journal.ts'
import { getOrganisation } from '../../books/settings/get-organisation.ts'
import { today } from '../../books/settings/organisation.ts'
import { Fault, notFound } from '../../kernel/basics/fault.ts'
import { readTypedAmount, typedAmount } from '../components/amount-field.ts'
import { DraftText } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { type Draft, defineForm } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { AmountCell, RowError } from './amount-cell.tsx'
import { sequenceOf } from './journal-page.tsx'
import { openingBalancesForm } from './opening-balances-form.tsx'

const path = '/journal'

// Empty rows are left out.
const rows = Array.from({ length: 12 }, (_, index) => index + 1)
const rowFields = ['account', 'text', 'debit', 'credit'] as const

function usedRows(form: URLSearchParams): number[] {
  const isFilled = (name: string) => (form.get(name) ?? '').trim() !== ''
  const used = rows.filter((row) => rowFields.some((field) => isFilled(`${field}_${row}`)))
  const unnamed = used.map((row) => `account_${row}`).filter((name) => !isFilled(name))
  if (unnamed.length > 0) {
    const fieldErrors = Object.fromEntries(unnamed.map((name) => [name, ['Choose an account.']]))
    throw new Fault('invalid_request', { formErrors: [], fieldErrors })
  }
  return used
}

const postForm = defineForm({
  path: `${path}/new`,
  operation: postManualJournal,
  async input(visit, form) {
    const { baseCurrency } = await visit.run(getOrganisation, {})
    return {
      date: form.get('date') ?? '',
      description: form.get('description') ?? '',
      lines: usedRows(form).map((row) => lineOf(row)),
    }
    function lineOf(row: number) {
      const amount = (side: 'debit' | 'credit') => {
        const field = `${side}_${row}`
        if (!form.get(field)?.trim()) return {}
        return { [side]: typedAmount(readTypedAmount(form, field, baseCurrency), baseCurrency) }
      }
      return {
        accountId: form.get(`account_${row}`) ?? '',
        description: form.get(`text_${row}`) ?? '',
        ...amount('debit'),
        ...amount('credit'),
      }
    }
  },
  async show(visit, draft) {
    const [accounts, day] = await Promise.all([visit.run(listAccounts, {}), todayOf(visit)])
    const active = accounts.filter((account) => account.active)
    return formPage({
      title: 'New manual journal',
      back: { href: visit.href(path), text: 'Journal' },
      draft,
      submit: 'Post journal',
      isWide: true,
      children: (
        <>
          <DraftText draft={draft} name="date" label="Date" type="date" initial={day} />
          <DraftText draft={draft} name="description" label="Description" />
          <JournalLines draft={draft} accounts={active} />
          <p class="quiet">
            Debits and credits must be equal. An entry that is posted never changes; it can be
            reversed.
          </p>
        </>
      ),
    })
  },
  done: (visit, { sequence }) => ({
    location: visit.href(`${path}/${sequence}`),
    message: `Entry ${sequence} is posted.`,
  }),
})

const reverseForm = defineForm({
  path: `${path}/:sequence/reverse`,
  operation: reverseManualJournal,
  async input(visit, form) {
    const { sourceId } = await entryOf(visit)
    return { journalId: sourceId, date: form.get('date') ?? '' }
  },
  async show(visit, draft) {
    const [{ sequence, description }, day] = await Promise.all([entryOf(visit), todayOf(visit)])
    return formPage({
      title: `Reverse entry ${sequence}`,
      back: { href: visit.href(`${path}/${sequence}`), text: `Entry ${sequence}` },
      draft,
      submit: 'Reverse entry',
      isDangerous: true,
      children: (
        <>
          <p>A new entry takes back every line of “{description}”. Both stay in the journal.</p>
          <DraftText
            draft={draft}
            name="date"
            label="Date of the reversal"
            type="date"
            initial={day}
          />
        </>
      ),
    })
  },
  done: (visit, { sequence }) => ({
    location: visit.href(`${path}/${sequence}`),
    message: 'The entry is reversed.',
  }),
})

export const manualJournalForms = [...postForm, ...openingBalancesForm, ...reverseForm]

function entryOf(visit: Visit) {
  const sequence = sequenceOf(visit.param('sequence'))
  if (sequence === undefined) throw notFound('journal entry')
  return visit.run(getJournalEntry, { sequence })
}

async function todayOf(visit: Visit): Promise<string> {
  return today(await visit.run(getOrganisation, {}), visit.context.clock.now())
}

type LinesProps = {
  draft: Draft
  accounts: readonly { readonly id: string; readonly code: string; readonly name: string }[]
}

function JournalLines({ draft, accounts }: LinesProps) {
  const value = (name: string) => draft.values.get(name) ?? ''
  const problem = (name: string, looks: string) =>
    draft.problems[name]
      ? ({
          'aria-invalid': 'true',
          'aria-describedby': `${name}-error`,
          class: `${looks} is-invalid`,
        } as const)
      : { class: looks }
  return (
    <div class="table-card mb-3" id="lines">
      <table class="data-table journal-lines">
        <caption class="visually-hidden">Lines of the journal</caption>
        <thead>
          <tr>
            <th scope="col">Account</th>
            <th scope="col">Text</th>
            <th scope="col" class="number">
              Debit
            </th>
            <th scope="col" class="number">
              Credit
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row}>
              <td data-label="Account">
                <select
                  {...problem(`account_${row}`, 'form-select')}
                  id={`account_${row}`}
                  name={`account_${row}`}
                  aria-label={`Account ${row}`}
                >
                  <option value="" />
                  {accounts.map(({ id, code, name }) => (
                    <option key={id} value={id} selected={id === value(`account_${row}`)}>
                      {code} {name}
                    </option>
                  ))}
                </select>
                <RowError draft={draft} name={`account_${row}`} />
              </td>
              <td data-label="Text">
                <input
                  class="form-control"
                  name={`text_${row}`}
                  aria-label={`Text ${row}`}
                  value={value(`text_${row}`)}
                  maxLength={500}
                />
              </td>
              {(['debit', 'credit'] as const).map((side) => (
                <AmountCell key={side} draft={draft} side={side} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

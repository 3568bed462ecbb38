// What payments and refunds have in common: the account, and what foreign money is worth.

import type { AccountSubtype, ChartAccount } from '../../books/accounts/account.ts'
import { listChart } from '../../books/accounts/list-chart.ts'
import type { DocumentSide } from '../../books/documents/document-status.ts'
import type { DocumentStory } from '../../books/documents/get-document-story.ts'
import { listPayments } from '../../books/payments/list-payments.ts'
import { type PaymentPreview, previewPayment } from '../../books/payments/preview-payment.ts'
import { today } from '../../books/settings/organisation.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import { Alert } from '../../kernel/web/components.tsx'
import { readTypedAmount, typedAmount } from '../components/amount-field.ts'
import { DraftText } from '../components/draft-fields.tsx'
import { formatMoney } from '../components/money.tsx'
import type { Draft } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { CheckField, readableDraft } from './act-form.tsx'

// In the order in which they are offered.
const moneySubtypes: readonly AccountSubtype[] = [
  ...(['bank', 'credit_card', 'clearing'] as const),
  ...(['current_asset', 'current_liability', 'non_current_liability'] as const),
]

export async function moneyAccounts(visit: Visit): Promise<Record<string, string>> {
  const accounts = await visit.run(listChart, {})
  const offered = moneySubtypes.flatMap((subtype) =>
    accounts.filter((account) => account.active && account.subtype === subtype),
  )
  return Object.fromEntries(offered.map(({ id, code, name }) => [id, `${code} ${name}`]))
}

// The account of the newest payment in the same direction, among those that take the currency.
export async function lastMoneyAccount(
  visit: Visit,
  side: DocumentSide,
  wanted: { readonly currency: string; readonly baseCurrency: string },
): Promise<string | undefined> {
  const [payments, accounts] = await Promise.all([
    visit.run(listPayments, {}),
    visit.run(listChart, {}),
  ])
  const usable = accounts.filter((account) => account.active && takesCurrency(account, wanted))
  const ids = new Set(usable.map(({ id }) => id))
  const direction = side === 'sales' ? 'in' : 'out'
  const cash = payments.filter(
    ({ method, removedAt, accountId }) => method === 'cash' && !removedAt && ids.has(accountId),
  )
  const last =
    cash.find(
      (payment) => payment.direction === direction && payment.currency === wanted.currency,
    ) ??
    cash.find((payment) => payment.direction === direction) ??
    cash[0]
  return last?.accountId ?? usable.find(({ subtype }) => subtype === 'bank')?.id
}

// An account in the base currency takes any money, at its worth.
function takesCurrency(
  { currency: keptIn }: ChartAccount,
  { currency, baseCurrency }: { readonly currency: string; readonly baseCurrency: string },
): boolean {
  return keptIn === null || keptIn === baseCurrency || keptIn === currency
}

// Foreign money: its rate or what the bank states, and the gain before anything is booked. The
// button asks for this page again with what was typed.
export async function paymentWorth(visit: Visit, draft: Draft, story: DocumentStory) {
  const { currency } = story.document
  const { baseCurrency } = story.organisation
  return (
    <>
      <WorthFields draft={draft} currency={currency} baseCurrency={baseCurrency} />
      {currency !== baseCurrency && (
        <>
          <Preview preview={await readPreview(visit, draft, story)} story={story} />
          <button class="btn mb-3" type="submit" formMethod="get" formNoValidate>
            Show gain or loss
          </button>
        </>
      )}
    </>
  )
}

type WorthProps = { draft: Draft; currency: string; baseCurrency: string }

export function WorthFields({ draft, currency, baseCurrency }: WorthProps) {
  const wantsAccountAmount =
    draft.values.has('accountAmount') || draft.problems.accountId?.includes('account_amount')
  const isFarOff =
    draft.values.has('confirmsRate') || draft.problems.accountAmount?.includes('confirms_rate')
  return (
    <>
      {wantsAccountAmount && (
        <DraftText
          draft={readableDraft(draft)}
          name="accountAmount"
          label="What moved on the account, in its own currency"
          inputMode="decimal"
          isOptional
        />
      )}
      {isFarOff && <CheckField draft={draft} name="confirmsRate" label="The amount is right" />}
      {currency !== baseCurrency && (
        <>
          <DraftText
            draft={draft}
            name="rate"
            label={`Rate: ${baseCurrency} for one ${currency}`}
            hint="Empty: the rate of the day."
            inputMode="decimal"
            isOptional
          />
          <DraftText
            draft={draft}
            name="baseAmount"
            label={`Or the amount in ${baseCurrency} that the bank states`}
            inputMode="decimal"
            isOptional
          />
        </>
      )}
    </>
  )
}

type PreviewProps = { preview: PaymentPreview | undefined; story: DocumentStory }

function Preview({ preview, story: { document } }: PreviewProps) {
  if (!preview) return null
  const { baseCurrency, fxRate, baseMinor, gainMinor, excessMinor } = preview
  if (fxRate === null) {
    return (
      <div class="mb-3">
        <Alert tone="unsure">
          No rate of {document.currency} is known for this day. Enter the rate or the amount in{' '}
          {baseCurrency}.
        </Alert>
      </div>
    )
  }
  const base = formatMoney(baseMinor, baseCurrency)
  const gain = formatMoney(gainMinor < 0n ? -gainMinor : gainMinor, baseCurrency)
  const result =
    gainMinor === 0n
      ? 'no currency gain or loss'
      : `a currency ${gainMinor > 0n ? 'gain' : 'loss'} of ${gain}`
  return (
    <div class="mb-3" role="status">
      <Alert tone={gainMinor < 0n ? 'unsure' : 'plain'}>
        At {fxRate} this is {base}, with {result}.
        {excessMinor > 0n &&
          ` ${formatMoney(excessMinor, document.currency)} is above what is due and stays as a credit.`}
      </Alert>
    </div>
  )
}

// Undefined while something that was typed can't be read: booking says what is wrong.
async function readPreview(
  visit: Visit,
  { values }: Draft,
  story: DocumentStory,
): Promise<PaymentPreview | undefined> {
  const { document, organisation, dueMinor } = story
  const { currency } = document
  try {
    const amountMinor = values.has('amount')
      ? readTypedAmount(values, 'amount', currency)
      : dueMinor
    return await visit.run(previewPayment, {
      documentId: document.id,
      amount: typedAmount(amountMinor, currency),
      date: values.get('date') || today(organisation, visit.context.clock.now()),
      ...readStated(values, story),
      ...readMoved(values),
      ...(values.has('accountId') && { accountId: values.get('accountId') ?? '' }),
    })
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}

// Only what was filled in.
export function readWorth(form: URLSearchParams, story: Pick<DocumentStory, 'organisation'>) {
  return {
    ...readStated(form, story),
    ...readMoved(form),
    ...(form.has('confirmsRate') && { confirmsRate: true }),
  }
}

function readMoved(form: URLSearchParams) {
  const accountAmount = (form.get('accountAmount') ?? '').trim()
  return accountAmount === '' ? {} : { accountAmount }
}

export function readReference(form: URLSearchParams) {
  const reference = (form.get('reference') ?? '').trim()
  return reference === '' ? {} : { reference }
}

function readStated(
  form: URLSearchParams,
  { organisation: { baseCurrency } }: Pick<DocumentStory, 'organisation'>,
) {
  const rate = (form.get('rate') ?? '').trim()
  const hasAmount = (form.get('baseAmount') ?? '').trim() !== ''
  return {
    ...(rate !== '' && { rate }),
    ...(hasAmount && {
      baseAmount: typedAmount(readTypedAmount(form, 'baseAmount', baseCurrency), baseCurrency),
    }),
  }
}

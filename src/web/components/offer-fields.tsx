// What payment links and QR codes have in common: what is paid, and who gets a share.
import { invalidField } from '../../kernel/basics/fault.ts'
import { isCurrency } from '../../kernel/money/currency.ts'
import { listRecipients } from '../../merchant/recipients/list-recipients.ts'
import type { Visit } from '../shell/visit.ts'

export function readCurrency(form: URLSearchParams): string {
  const currency = (form.get('currency') ?? '').trim().toUpperCase()
  if (!isCurrency(currency)) throw invalidField('currency', 'Enter a currency such as NGN.')
  return currency
}

// Empty fields are left out.
export function readOptional<Name extends string>(
  form: URLSearchParams,
  ...names: readonly Name[]
): { [name in Name]?: string } {
  const filled: { [name in Name]?: string } = {}
  for (const name of names) {
    const text = (form.get(name) ?? '').trim()
    if (text !== '') filled[name] = text
  }
  return filled
}

export async function recipientChoices(visit: Visit): Promise<Record<string, string>> {
  const recipients = await visit.run(listRecipients, {})
  return Object.fromEntries(
    recipients
      .filter(({ disabled }) => !disabled)
      .map(({ id, name, splitPercent }) => [id, `${name} (${splitPercent} %)`]),
  )
}

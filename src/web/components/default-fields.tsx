// The accounts and taxes that lines get by default, for contacts and items.
import { listAccounts } from '../../books/accounts/list-accounts.ts'
import { listTaxCodes } from '../../books/taxes/list-tax-codes.ts'
import type { Draft } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { DraftSelect } from './draft-fields.tsx'

const fields = {
  salesAccountId: 'Account for sales',
  salesTaxCodeId: 'Tax on sales',
  purchaseAccountId: 'Account for purchases',
  purchaseTaxCodeId: 'Tax on purchases',
} as const
type Field = keyof typeof fields
const names = Object.keys(fields) as Field[]

export type Defaults = Readonly<Record<Field, string | null>>
export type DefaultChoices = Readonly<Record<Field, Readonly<Record<string, string>>>>

export async function readDefaultChoices(visit: Visit): Promise<DefaultChoices> {
  const [accounts, taxCodes] = await Promise.all([
    visit.run(listAccounts, {}),
    visit.run(listTaxCodes, {}),
  ])
  const accountsOf = (types: readonly string[]) =>
    Object.fromEntries(
      accounts
        .filter(({ type, active }) => active && types.includes(type))
        .map(({ id, code, name }) => [id, `${code} ${name}`]),
    )
  const taxes = Object.fromEntries(
    taxCodes.filter(({ active }) => active).map(({ id, name }) => [id, name]),
  )
  return {
    salesAccountId: accountsOf(['income', 'liability']),
    salesTaxCodeId: taxes,
    purchaseAccountId: accountsOf(['expense', 'asset']),
    purchaseTaxCodeId: taxes,
  }
}

type DefaultFieldsProps = {
  draft: Draft
  choices: DefaultChoices
  // What is stored; nothing for a new object.
  stored?: Defaults
}

export function DefaultFields({ draft, choices, stored }: DefaultFieldsProps) {
  return (
    <fieldset>
      <legend>Defaults for lines</legend>
      {names.map((name) => (
        <DraftSelect
          key={name}
          draft={draft}
          name={name}
          label={fields[name]}
          initial={stored?.[name] ?? ''}
          choices={choices[name]}
          isOptional
        />
      ))}
    </fieldset>
  )
}

export function readDefaults(form: URLSearchParams): Defaults {
  return Object.fromEntries(names.map((name) => [name, form.get(name) || null])) as Record<
    Field,
    string | null
  >
}

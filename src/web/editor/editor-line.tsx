// One line of the editor. The page has one more as a template, from which the island makes new
// ones.
import type { LinePrice } from '../../books/documents/price-document.ts'
import { defaultText, originText } from './default-text.ts'
import {
  blankLine,
  type LineField,
  type LineState,
  lineName,
  type ReadLine,
} from './editor-state.ts'
import type { Lookups } from './lookups.ts'
import { netText } from './total-rows.ts'

type LineProps = {
  index: number | string
  line: LineState | undefined
  problems: Readonly<Record<string, string>>
  lookups: Lookups
  read: ReadLine | undefined
  price: LinePrice | undefined
  currency: string
}

export function EditorLine({ index, line = blankLine, problems, ...props }: LineProps) {
  const { lookups, read, price, currency } = props
  const field = (name: LineField, label: string) => ({
    id: lineName(index, name),
    label,
    field: name,
    value: line[name],
    error: problems[lineName(index, name)],
  })
  const place = typeof index === 'number' ? index + 1 : index
  return (
    <fieldset class="editor-line" data-line>
      <legend class="visually-hidden">Line {place}</legend>
      <LineInput {...field('item', 'Item')} list="items" />
      <LineInput {...field('description', 'Description')} isLong />
      <LineInput {...field('quantity', 'Quantity')} placeholder="1" isNumber />
      <LineInput {...field('unitPrice', 'Price')} isNumber />
      <LineInput {...field('discountPct', 'Discount')} placeholder="%" isNumber />
      <LineInput
        {...field('account', 'Account')}
        list="accounts"
        placeholder={defaultText(read?.account, lookups.accounts)}
        origin={originText(read?.account, line.account)}
      />
      <LineInput
        {...field('taxCode', 'Tax')}
        list="tax-codes"
        placeholder={defaultText(read?.tax, lookups.taxCodes)}
        origin={originText(read?.tax, line.taxCode)}
      />
      <div class="editor-net">
        <span class="editor-label">Net</span>
        <output class="money" data-net>
          {netText(price, currency)}
        </output>
      </div>
      <div class="editor-line-buttons">
        <StepButton value={`up-${index}`} label={`Move line ${place} up`} sign="↑" />
        <StepButton value={`down-${index}`} label={`Move line ${place} down`} sign="↓" />
        <StepButton value={`remove-${index}`} label={`Remove line ${place}`} sign="×" />
      </div>
    </fieldset>
  )
}

type StepProps = { value: string; label: string; sign: string }

function StepButton({ value, label, sign }: StepProps) {
  return (
    <button class="btn btn-sm" type="submit" name="step" value={value} aria-label={label}>
      {sign}
    </button>
  )
}

type InputProps = {
  id: string
  label: string
  field: LineField
  value: string
  error: string | undefined
  list?: string
  placeholder?: string
  // Where an empty field gets its value from.
  origin?: string
  isNumber?: boolean
  isLong?: boolean
}

function LineInput({ id, label, field, value, error, ...looks }: InputProps) {
  const { list, placeholder = '', origin, isNumber, isLong } = looks
  const attributes = {
    class: `form-control${isNumber ? ' number' : ''}${error ? ' is-invalid' : ''}`,
    id,
    name: id,
    'data-field': field,
    placeholder,
    autocomplete: 'off',
    ...(error && { 'aria-invalid': true, 'aria-describedby': `${id}-error` }),
  }
  return (
    <div class={`editor-cell editor-cell-${field}`}>
      <label class="editor-label" for={id}>
        {label}
      </label>
      {isLong ? (
        <textarea rows={1} {...attributes}>
          {value}
        </textarea>
      ) : (
        <input
          value={value}
          {...attributes}
          {...(list && { list: `choices-${list}` })}
          {...(isNumber && { inputMode: 'decimal' as const })}
        />
      )}
      {origin !== undefined && (
        <span class="editor-origin" id={`${id}-origin`} data-origin>
          {origin}
        </span>
      )}
      {error && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}

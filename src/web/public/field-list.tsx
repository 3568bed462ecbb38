// The fields of an object, with nested objects indented. A list and not a table, because a table
// with this many columns does not fit a phone.
import { Prose } from '../../kernel/web/components.tsx'
import type { Field } from './json-schema.ts'

// A request marks required fields; a response marks fields that may be missing.
export type FieldListProps = { fields: Field[]; of: 'request' | 'answer' }

export function FieldList({ fields, of }: FieldListProps) {
  if (fields.length === 0) return <p class="quiet">No fields defined.</p>
  return (
    <ul class="fields">
      {fields.map((field) => (
        <li key={field.name}>
          <FieldEntry field={field} of={of} />
        </li>
      ))}
    </ul>
  )
}

function FieldEntry({ field, of }: { field: Field; of: FieldListProps['of'] }) {
  const { name, type, required, description, limits, values, unit, fields } = field
  return (
    <>
      <p class="field-head">
        <code>{name}</code> <span class="quiet">{type}</span>
        {required && of === 'request' && <span class="required">required</span>}
        {required === false && of === 'answer' && <span class="quiet">may be missing</span>}
        {unit && <span class="unit">in {unit} units</span>}
      </p>
      {description && (
        <p>
          <Prose text={description} />
        </p>
      )}
      {limits.length > 0 && (
        <p class="quiet">
          <Prose text={sentence(limits)} />
        </p>
      )}
      {values.length > 0 && <Values values={values} />}
      {fields.length > 0 && <FieldList fields={fields} of={of} />}
    </>
  )
}

function Values({ values }: { values: string[] }) {
  return (
    <p class="quiet">
      {values.length === 1 ? 'Always ' : 'One of '}
      {values.map((value, index) => (
        <span key={value}>
          {index > 0 && ', '}
          <code>{value}</code>
        </span>
      ))}
      .
    </p>
  )
}

function sentence(limits: string[]): string {
  const text = limits.join(', ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

// One field of a form for payers, with what is wrong with it.

type FieldProps = {
  readonly label: string
  readonly hint?: string | undefined
  readonly name: string
  // Attributes of the element.
  readonly attributes: Readonly<Record<string, string>>
  readonly value: string | undefined
  readonly error: string | undefined
  // Has several lines.
  readonly isLong?: boolean
  readonly isOptional?: boolean
}

export function PayField(props: FieldProps) {
  const { label, hint, name, error, value, attributes, isLong, isOptional } = props
  const notes = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ')
  const all = {
    id: name,
    name,
    required: !isOptional,
    ...attributes,
    ...(notes && { 'aria-describedby': notes }),
    ...(error && { 'aria-invalid': 'true' as const }),
  }
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {hint && <small id={`${name}-hint`}>{hint}</small>}
      {isLong ? (
        <textarea {...all}>{value ?? ''}</textarea>
      ) : (
        <input {...all} {...(value !== undefined && { value })} />
      )}
      {error && (
        <span class="error" id={`${name}-error`}>
          {error}
        </span>
      )}
    </div>
  )
}

// A field of the head: one that offers the entries of a list while one types, or a date. It says
// where its value comes from while it is empty.
type PickProps = {
  name: string
  label: string
  value: string
  error: string | undefined
  type?: 'date'
  list?: string
  placeholder?: string
  origin?: string
  isOptional?: boolean
}

export function PickField({ name, label, value, error, type, list, ...looks }: PickProps) {
  const { placeholder, origin, isOptional } = looks
  const described = [error && `${name}-error`, origin !== undefined && `${name}-origin`]
  const ids = described.filter(Boolean).join(' ')
  const attributes = {
    class: `form-control${error ? ' is-invalid' : ''}`,
    id: name,
    name,
    value,
    autocomplete: 'off',
    ...(placeholder && { placeholder }),
    ...(!isOptional && { 'aria-required': true }),
    ...(error && { 'aria-invalid': true }),
    ...(ids && { 'aria-describedby': ids }),
  }
  return (
    <div class="mb-3">
      <label class="form-label" for={name}>
        {label}
      </label>
      {type === 'date' ? (
        <input type="date" {...attributes} />
      ) : (
        <input {...attributes} {...(list && { list: `choices-${list}` })} />
      )}
      {origin !== undefined && (
        <span class="editor-origin" id={`${name}-origin`}>
          {origin}
        </span>
      )}
      {error && (
        <p class="field-error" id={`${name}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}

// A field that offers the entries of a list while one types.
type PickProps = {
  name: string
  label: string
  value: string
  error: string | undefined
  list: string
  placeholder?: string
  isOptional?: boolean
}

export function PickField({ name, label, value, error, list, placeholder, isOptional }: PickProps) {
  return (
    <div class="mb-3">
      <label class="form-label" for={name}>
        {label}
      </label>
      <input
        class={`form-control${error ? ' is-invalid' : ''}`}
        id={name}
        name={name}
        value={value}
        list={`choices-${list}`}
        autocomplete="off"
        {...(placeholder && { placeholder })}
        {...(!isOptional && { 'aria-required': true })}
        {...(error && { 'aria-invalid': true, 'aria-describedby': `${name}-error` })}
      />
      {error && (
        <p class="field-error" id={`${name}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}

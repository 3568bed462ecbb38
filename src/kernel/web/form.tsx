// Form fields with label, hint and error. Ids connect them, so that a screen reader reads hint and
// error with the field.
import type { ComponentChildren } from 'preact'

type FieldProps = {
  name: string
  label: string
  hint?: string | undefined
  error?: string | undefined
}

type TextFieldProps = FieldProps & {
  value: string
  type?: 'text' | 'date'
  lengthMax?: number
  inputMode?: 'text' | 'decimal'
  autocomplete?: string
  placeholder?: string | undefined
  isOptional?: boolean
}

export function TextField({ value, type = 'text', lengthMax, ...props }: TextFieldProps) {
  const { name, error, inputMode, placeholder, isOptional = false, autocomplete = 'off' } = props
  const attributes = {
    class: `form-control${error ? ' is-invalid' : ''}`,
    id: name,
    name,
    value,
    autocomplete,
    ...(inputMode && { inputMode }),
    ...(placeholder && { placeholder }),
    ...(lengthMax !== undefined && { maxLength: lengthMax }),
    ...(isOptional ? {} : { 'aria-required': true }),
    ...described(props),
  }
  return (
    <Field {...props}>
      {type === 'date' ? (
        <input type="date" {...attributes} />
      ) : (
        <input type="text" {...attributes} />
      )}
    </Field>
  )
}

type PasswordProps = FieldProps & { autocomplete: 'current-password' | 'new-password' }

// Empty again after a refusal.
export function PasswordField({ autocomplete, ...props }: PasswordProps) {
  const { name, error } = props
  return (
    <Field {...props}>
      <input
        type="password"
        class={`form-control${error ? ' is-invalid' : ''}`}
        id={name}
        name={name}
        autocomplete={autocomplete}
        required
        {...described(props)}
      />
    </Field>
  )
}

export function TextAreaField({ value, isOptional = false, ...props }: TextFieldProps) {
  const { name, error } = props
  return (
    <Field {...props}>
      <textarea
        class={`form-control${error ? ' is-invalid' : ''}`}
        id={name}
        name={name}
        rows={4}
        {...(isOptional ? {} : { 'aria-required': true })}
        {...described(props)}
      >
        {value}
      </textarea>
    </Field>
  )
}

type ChoiceProps = FieldProps & {
  value: string
  choices: Readonly<Record<string, string>>
  isOptional?: boolean
}

export function SelectField({ value, choices, ...props }: ChoiceProps) {
  const { name, error, isOptional = false } = props
  return (
    <Field {...props}>
      <select
        class={`form-select${error ? ' is-invalid' : ''}`}
        id={name}
        name={name}
        {...(isOptional ? {} : { 'aria-required': true })}
        {...described(props)}
      >
        <option value="">{isOptional ? 'None' : 'Choose…'}</option>
        {Object.entries(choices).map(([key, text]) => (
          <option key={key} value={key} selected={key === value}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  )
}

// `form` is the id of a form outside of which the field is.
export function FileField({
  accept,
  form,
  ...props
}: FieldProps & { accept: string; form?: string }) {
  const { name, error } = props
  return (
    <Field {...props}>
      <input
        class={`form-control${error ? ' is-invalid' : ''}`}
        id={name}
        name={name}
        type="file"
        form={form}
        accept={accept}
        {...described(props)}
      />
    </Field>
  )
}

function Field({ children, ...props }: FieldProps & { children: ComponentChildren }) {
  const { name, label, hint, error } = props
  return (
    <div class="mb-3">
      <label class="form-label" for={name}>
        {label}
      </label>
      {hint && (
        <p class="form-hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {children}
      {error && (
        <p class="field-error" id={`${name}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}

function described({ name, hint, error }: FieldProps) {
  const ids = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean)
  return {
    ...(ids.length > 0 && { 'aria-describedby': ids.join(' ') }),
    ...(error && { 'aria-invalid': true }),
  }
}

// Takes the focus, so that a screen reader reads it first. Each line links to its field.
export function ErrorSummary({ problems }: { problems: Readonly<Record<string, string>> }) {
  const entries = Object.entries(problems)
  if (entries.length === 0) return null
  return (
    <div class="note note-bad mb-3" role="alert" tabIndex={-1} autofocus>
      <strong>Please fix the {entries.length === 1 ? 'problem' : 'problems'} below</strong>
      <ul class="mb-0">
        {entries.map(([name, text]) => (
          <li key={name}>
            <a href={`#${name}`}>{text}</a>
          </li>
        ))}
      </ul>
    </div>
  )
}

// The frame of every form: the token that makes it act once, the problems at the top, and the
// buttons. Fields are in `kernel/web/form.tsx`.
import type { ComponentChildren } from 'preact'
import { ErrorSummary } from '../../kernel/web/form.tsx'
import type { Draft } from '../shell/define-page.ts'
import { tokenField } from '../shell/token-field.ts'

type FormProps = {
  draft: Draft
  // What the button says: the verb and what it does it to.
  submit: string
  cancelHref?: string
  isDangerous?: boolean
  // The answer shows a secret once, so the browser must load it as a page.
  showsSecret?: boolean
  // Has a field for a file.
  hasFile?: boolean
  // Has a table to fill in.
  isWide?: boolean
  children?: ComponentChildren
}

export function AppForm({
  draft,
  submit,
  cancelHref,
  isDangerous,
  showsSecret,
  hasFile,
  isWide,
  children,
}: FormProps) {
  return (
    <form
      class={isWide ? 'card form-page form-wide' : 'card form-page'}
      method="post"
      {...(hasFile && { encType: 'multipart/form-data' })}
      {...(showsSecret && { 'data-turbo': 'false' })}
    >
      <div class="card-body">
        <input type="hidden" name={tokenField} value={draft.token} />
        {draft.refusal && (
          <div class="note note-bad mb-3" role="alert" tabIndex={-1} autofocus>
            {draft.refusal}
          </div>
        )}
        <ErrorSummary problems={draft.problems} />
        {children}
        <div class="actions mt-3">
          <button class={`btn ${isDangerous ? 'btn-danger' : 'btn-primary'}`} type="submit">
            {submit}
          </button>
          {cancelHref && <a href={cancelHref}>Cancel</a>}
        </div>
      </div>
    </form>
  )
}

// A button that does one thing at once, without questions.
export function ActionButton({
  action,
  token,
  label,
  fields = {},
  isPrimary = false,
}: {
  action: string
  token: string
  label: string
  fields?: Readonly<Record<string, string>>
  isPrimary?: boolean
}) {
  return (
    <form method="post" action={action} class="inline-form">
      <input type="hidden" name={tokenField} value={token} />
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button class={isPrimary ? 'btn btn-primary' : 'btn'} type="submit">
        {label}
      </button>
    </form>
  )
}

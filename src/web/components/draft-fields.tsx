// Fields that show what the person typed and what is wrong with it.
import { SelectField, TextAreaField, TextField } from '../../kernel/web/form.tsx'
import type { Draft } from '../shell/define-page.ts'

type FieldProps = {
  draft: Draft
  name: string
  label: string
  hint?: string
  // For a fresh form.
  initial?: string
}

type TextProps = FieldProps & {
  type?: 'text' | 'date'
  inputMode?: 'text' | 'decimal'
  isOptional?: boolean
}

export function DraftText({ draft, name, initial = '', ...props }: TextProps) {
  const value = draft.values.get(name) ?? initial
  return <TextField name={name} value={value} error={draft.problems[name]} {...props} />
}

export function DraftTextArea({ draft, name, initial = '', ...props }: TextProps) {
  const value = draft.values.get(name) ?? initial
  return <TextAreaField name={name} value={value} error={draft.problems[name]} {...props} />
}

type SelectProps = FieldProps & {
  choices: Readonly<Record<string, string>>
  isOptional?: boolean
}

export function DraftSelect({ draft, name, initial = '', ...props }: SelectProps) {
  const value = draft.values.get(name) ?? initial
  return <SelectField name={name} value={value} error={draft.problems[name]} {...props} />
}

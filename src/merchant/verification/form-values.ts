// Reads forms that people fill in. A problem is a sentence that says what to do, shown beside its
// field.
import { isOneLine, withoutDirectionMarks } from '../../kernel/basics/one-line.ts'

export type FieldProblems<Name extends string> = { problems: Partial<Record<Name, string>> }

export function hasProblems<Value extends object, Name extends string>(
  read: Value | FieldProblems<Name>,
): read is FieldProblems<Name> {
  return 'problems' in read
}

type Line<Name extends string> = {
  readonly name: Name
  readonly max: number
  readonly missing: string
}

// Adds any problem with the line; use the value only if there are none.
export function readLine<Name extends string>(
  form: URLSearchParams,
  { problems }: FieldProblems<Name>,
  { name, max, missing }: Line<Name>,
): string {
  const text = withoutDirectionMarks(form.get(name) ?? '').trim()
  if (text === '') problems[name] = missing
  else if ([...text].length > max) problems[name] = `Use at most ${max} characters.`
  else if (!isOneLine(text)) problems[name] = 'Use one line of plain text.'
  return text
}

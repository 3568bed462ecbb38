// Saves a draft while a person types. The answer is for the island: the new version, or why it was
// not saved. What is refused stays in the browser, and the form says more when it is submitted.
import { Fault, faultKinds } from '../../kernel/basics/fault.ts'
import type { Operation } from '../../kernel/operations/operation.ts'
import type { PageAnswer } from '../../kernel/web/page.ts'
import type { AppRoute } from '../shell/define-page.ts'
import { tokenField } from '../shell/token-field.ts'
import type { Visit } from '../shell/visit.ts'

export type Saved = {
  readonly version: string
  readonly editHref: string
  readonly autosaveHref: string
  readonly cancelHref: string
}

export function autosaveRoute(
  path: string,
  operation: Pick<Operation<never>, 'name' | 'kind' | 'scopes' | 'roles' | 'peopleOnly'>,
  save: (visit: Visit, form: URLSearchParams, token: string) => Promise<Saved>,
): AppRoute {
  return {
    method: 'POST',
    path,
    operation,
    async handle(visit) {
      const { form } = visit.request
      try {
        return json(200, await save(visit, form, form.get(tokenField) ?? ''))
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        return json(faultKinds[error.kind].status, { message: textOf(error) })
      }
    },
  }
}

function textOf({ error }: Fault): string {
  if (typeof error === 'string') return error
  return [...error.formErrors, ...Object.values(error.fieldErrors).flat()].join(' ')
}

export function json(status: number, body: object): PageAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(body),
  }
}

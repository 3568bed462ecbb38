// Pages of the application. A page shows what a reading operation returns; a form calls a writing
// operation. Both name their operation, so that who may open them follows from its roles, and a
// test can compare the operations with the forms.
import type { VNode } from 'preact'
import type { z } from 'zod'
import { Fault, faultKinds } from '../../kernel/basics/fault.ts'
import type { Operation } from '../../kernel/operations/operation.ts'
import { requirePermission } from '../../kernel/operations/permission.ts'
import type { AssetName } from '../../kernel/web/assets.ts'
import { type PageAnswer, redirectTo } from '../../kernel/web/page.ts'
import { type Done, isUnknownOutcome, submitOnce } from '../../kernel/web/submit-once.ts'
import type { UploadLimits } from '../../kernel/web/upload.ts'
import { setFlash } from './flash.ts'
import { afterProof } from './step-up.tsx'
import { tokenField } from './token-field.ts'
import type { Visit, WebContext } from './visit.ts'

export type Shown = {
  readonly title: string
  readonly content: VNode
  readonly status?: number
  // A script that only this page needs.
  readonly script?: AssetName
  // Refreshed when something changes in the business. Not while a person fills in a form.
  readonly isLive?: boolean
}

export type AppAnswer = Shown | PageAnswer

type Guard = Pick<Operation<never>, 'name' | 'kind' | 'scopes' | 'roles' | 'peopleOnly'>

export type AppRoute = {
  readonly method: 'GET' | 'POST'
  // Below the business and environment.
  readonly path: string
  readonly operation: Guard
  // Asked for by the page and not by the person: it does not keep an idle session open.
  readonly isPassive?: boolean
  // The form has files.
  readonly takesFiles?: UploadLimits | undefined
  handle(visit: Visit): Promise<AppAnswer>
}

type PageDefinition = {
  path: string
  // The people who may call it may open the page.
  operation: Guard
  show(visit: Visit): Promise<AppAnswer>
  isPassive?: boolean
}

export function definePage({
  path,
  operation,
  show,
  isPassive = false,
}: PageDefinition): AppRoute[] {
  const handle = async (visit: Visit) => {
    const shown = await show(visit)
    return 'content' in shown ? { ...shown, isLive: true } : shown
  }
  return [{ method: 'GET', path, operation, isPassive, handle: guarded(operation, handle) }]
}

// What the person typed, and what is wrong with it. Empty for a fresh form.
export type Draft = {
  readonly token: string
  readonly values: URLSearchParams
  // By the name of the field.
  readonly problems: Readonly<Record<string, string>>
  // About the form as a whole.
  readonly refusal: string | undefined
}

type FormDefinition<Input extends z.ZodType, Result> = {
  path: string
  operation: Operation<WebContext, Input, Result> & Guard
  // What the operation gets. It may throw a Fault that names fields of the form.
  input(visit: Visit, form: URLSearchParams): z.input<Input> | Promise<z.input<Input>>
  show(visit: Visit, draft: Draft): Promise<Shown>
  // Where the person goes afterwards, or what they see once, such as a secret.
  done(visit: Visit, result: Result): Done | Shown | Promise<Done | Shown>
  // For acts that a stolen session must not reach: the person proves again who they are if the last
  // time is more than a few minutes ago.
  isSensitive?: boolean
  // Files are in `visit.request.upload`. The form has to be sent as `multipart/form-data`.
  takesFiles?: UploadLimits
}

export function defineForm<Input extends z.ZodType, Result>(
  definition: FormDefinition<Input, Result>,
): AppRoute[] {
  const { path, operation, show, takesFiles, isSensitive = false } = definition
  const opened = (visit: Visit) => show(visit, freshDraft(visit))
  const sent = (visit: Visit) => submit(definition, visit)
  return [
    {
      method: 'GET',
      path,
      operation,
      handle: guarded(operation, isSensitive ? afterProof(opened) : opened),
    },
    {
      method: 'POST',
      path,
      operation,
      takesFiles,
      handle: guarded(operation, isSensitive ? afterProof(sent) : sent),
    },
  ]
}

type ActionDefinition<Input extends z.ZodType, Result> = Omit<
  FormDefinition<Input, Result>,
  'show' | 'isSensitive' | 'takesFiles'
> & {
  // The page with the button. It is shown again if someone opens the address of the action.
  page(visit: Visit): string
}

// A button that acts at once. A refusal is shown on a separate page.
export function defineAction<Input extends z.ZodType, Result>({
  page,
  ...definition
}: ActionDefinition<Input, Result>): AppRoute[] {
  const { path, operation } = definition
  const show = async (_visit: Visit, { refusal, problems }: Draft): Promise<never> => {
    throw new Fault('conflict', [refusal ?? [], ...Object.values(problems)].flat().join(' '))
  }
  const sent = (visit: Visit) => submit({ ...definition, show }, visit)
  const opened = async (visit: Visit) => redirectTo(page(visit))
  return [
    { method: 'GET', path, operation, handle: guarded(operation, opened) },
    { method: 'POST', path, operation, handle: guarded(operation, sent) },
  ]
}

function guarded(operation: Guard, handle: AppRoute['handle']): AppRoute['handle'] {
  return async (visit) => {
    requirePermission(operation, visit.actor)
    return handle(visit)
  }
}

async function submit<Input extends z.ZodType, Result>(
  { operation, input, show, done }: FormDefinition<Input, Result>,
  visit: Visit,
): Promise<AppAnswer> {
  const { form } = visit.request
  const { context, actor } = visit
  const token = form.get(tokenField) ?? ''
  if (!uuidPattern.test(token)) {
    const isTooLarge = visit.request.upload?.kind === 'too_large'
    const draft = isTooLarge ? tooLargeDraft(visit, form) : incompleteDraft(visit, form)
    return { ...(await show(visit, draft)), status: 422 }
  }
  const key = { personId: actor.personId, token }
  let shown: Shown | undefined
  try {
    const outcome = await submitOnce(context, key, async () => {
      const result = await visit.run(operation, await input(visit, form))
      const after = await done(visit, result)
      if (!('content' in after)) return after
      shown = after
      // A repeated submit comes back here: what is shown once is not shown twice.
      return { location: visit.href(visit.path), message: null }
    })
    return shown ?? leadTo(visit, outcome)
  } catch (error) {
    if (!(error instanceof Fault) || isUnknownOutcome(error)) throw error
    return { ...(await show(visit, refusedDraft(visit, form, error))), status: statusOf(error) }
  }
}

function leadTo({ context }: Visit, { location, message }: Done): PageAnswer {
  return redirectTo(location, message === null ? [] : [setFlash(context.publicUrl, message)])
}

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function freshDraft({ context, query }: Visit): Draft {
  return { token: context.ids.uuid(), values: query, problems: {}, refusal: undefined }
}

function incompleteDraft({ context }: Visit, values: URLSearchParams): Draft {
  const refusal = 'The form was incomplete. Check what you entered and submit it again.'
  return { token: context.ids.uuid(), values, problems: {}, refusal }
}

// Nothing of such a form could be read, the token neither.
function tooLargeDraft({ context }: Visit, values: URLSearchParams): Draft {
  const refusal = 'The file is too large. Nothing was uploaded.'
  return { token: context.ids.uuid(), values, problems: {}, refusal }
}

function refusedDraft({ context }: Visit, values: URLSearchParams, { error }: Fault): Draft {
  const token = context.ids.uuid()
  if (typeof error === 'string') return { token, values, problems: {}, refusal: error }
  const problems = Object.fromEntries(
    Object.entries(error.fieldErrors).map(([field, texts]) => [field, texts.join(' ')]),
  )
  return { token, values, problems, refusal: error.formErrors.join(' ') || undefined }
}

// 422 is what browsers and Turbo expect of a form that has to be corrected.
function statusOf({ kind }: Fault): number {
  return kind === 'invalid_request' ? 422 : faultKinds[kind].status
}

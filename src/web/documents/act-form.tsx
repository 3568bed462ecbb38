// The frame of a form on a document: where it is, what it is about, and the way back.
import type { ComponentChildren } from 'preact'
import type { z } from 'zod'
import type { DocumentAct } from '../../books/documents/document-acts.ts'
import type { DocumentSide } from '../../books/documents/document-status.ts'
import { type DocumentStory, getDocumentStory } from '../../books/documents/get-document-story.ts'
import { today } from '../../books/settings/organisation.ts'
import { Fault } from '../../kernel/basics/fault.ts'
import type { Operation } from '../../kernel/operations/operation.ts'
import { Alert } from '../../kernel/web/components.tsx'
import { DraftText } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { PageHeader } from '../components/page-header.tsx'
import {
  type AppRoute,
  type Draft,
  defineAction,
  defineForm,
  type Shown,
} from '../shell/define-page.ts'
import type { Visit, WebContext } from '../shell/visit.ts'
import { actLabel, actLooks } from './act-looks.ts'
import { paperNames, sidePaths } from './document-place.ts'

export function readStory(visit: Visit, side: DocumentSide): Promise<DocumentStory> {
  return visit.run(getDocumentStory, { id: visit.param('id'), side })
}

export function documentLabel({ document }: DocumentStory): string {
  const name = paperNames[document.kind].toLowerCase()
  return document.number === null ? `${name} draft` : `${name} ${document.number}`
}

export function documentHref(visit: Visit, side: DocumentSide, id = visit.param('id')): string {
  return visit.href(`${sidePaths[side]}/${id}`)
}

// Why the act is not possible now. The operation checks it again, but only for what it changes: a
// payment may also be booked without the document.
function problemOf({ document, problems }: DocumentStory, act: DocumentAct): string | null {
  const problem = problems[act]
  if (problem !== undefined) return problem
  return `“${actLabel(act, document)}” is not possible for this ${paperNames[document.kind].toLowerCase()}.`
}

async function readPossible(visit: Visit, side: DocumentSide, act: DocumentAct) {
  const story = await readStory(visit, side)
  const problem = problemOf(story, act)
  if (problem !== null) throw new Fault('conflict', problem)
  return story
}

type ActForm<Input extends z.ZodType, Result> = {
  side: DocumentSide
  // The end of the address; that of the act unless it has two forms.
  act: DocumentAct
  slug?: string
  operation: Operation<WebContext, Input, Result>
  submit: string
  isDangerous?: boolean
  input(visit: Visit, form: URLSearchParams, story: DocumentStory): z.input<Input>
  // What will happen, and the fields.
  fields(visit: Visit, draft: Draft, story: DocumentStory): Promise<ComponentChildren>
  // Why there is nothing to choose from.
  nothing?(visit: Visit, story: DocumentStory): Promise<string | undefined>
  // What happened.
  message: string
}

export function actForm<Input extends z.ZodType, Result>({
  side,
  act,
  slug = actLooks[act].slug,
  operation,
  ...definition
}: ActForm<Input, Result>): AppRoute[] {
  const { submit, isDangerous, input, fields, nothing, message } = definition
  return defineForm({
    path: `${sidePaths[side]}/:id/${slug}`,
    operation,
    input: async (visit, form) => input(visit, form, await readPossible(visit, side, act)),
    async show(visit, draft) {
      const story = await readStory(visit, side)
      const readable = readableDraft(draft)
      const title = `${submit}: ${documentLabel(story)}`
      const back = { href: documentHref(visit, side), text: story.document.number ?? 'Draft' }
      const reason = await nothing?.(visit, story)
      if (reason !== undefined) return reasonPage(title, back, reason)
      return formPage({
        title,
        back,
        draft: { ...readable, refusal: readable.refusal ?? problemOf(story, act) ?? undefined },
        submit,
        ...(isDangerous && { isDangerous }),
        children: await fields(visit, draft, story),
      })
    },
    done: (visit) => ({ location: documentHref(visit, side), message }),
  })
}

// A form without a button: nothing can be done.
function reasonPage(title: string, back: { href: string; text: string }, reason: string): Shown {
  return {
    title,
    content: (
      <>
        <PageHeader title={title} back={back} />
        <Alert tone="plain">{reason}</Alert>
      </>
    ),
  }
}

// The interface names fields to send; here they are fields and boxes of the form.
const formWords: readonly (readonly [field: string, sent: RegExp, form: string])[] = [
  ['date', /, or send confirms_old_date: true/, ', or confirm it below'],
  ['accountId', /State account_amount, what moved/, 'Choose another, or enter below what moved'],
  ['accountAmount', /confirm it \(confirms_rate\)/, 'confirm it below'],
  ['accountAmount', /State base_amount instead/, 'Empty this field, and enter the amount above'],
]

export function readableDraft(draft: Draft): Draft {
  const problems: Record<string, string> = { ...draft.problems }
  for (const [field, sent, form] of formWords) {
    const problem = problems[field]
    if (problem !== undefined) problems[field] = problem.replace(sent, form)
  }
  return { ...draft, problems }
}

type ActionDefinition<Input extends z.ZodType, Result> = {
  side: DocumentSide
  act: DocumentAct
  operation: Operation<WebContext, Input, Result>
  input(visit: Visit, story: DocumentStory): z.input<Input>
  // Where it leads, unless to the document.
  leadsTo?(visit: Visit, result: Result): string
  message: string
}

export function actAction<Input extends z.ZodType, Result>({
  side,
  act,
  operation,
  input,
  leadsTo,
  message,
}: ActionDefinition<Input, Result>): AppRoute[] {
  return defineAction({
    path: `${sidePaths[side]}/:id/${actLooks[act].slug}`,
    operation,
    page: (visit) => documentHref(visit, side),
    input: async (visit) => input(visit, await readPossible(visit, side, act)),
    done: (visit, result) => ({
      location: leadsTo?.(visit, result) ?? documentHref(visit, side),
      message,
    }),
  })
}

type DateProps = {
  visit: Visit
  draft: Draft
  story: Pick<DocumentStory, 'organisation'>
  hint?: string
}

// The day on which something is booked: today, unless the person chooses another.
export function BookingDay({ visit, draft, story, hint }: DateProps) {
  const now = today(story.organisation, visit.context.clock.now())
  const isOld = draft.problems.date?.includes('ten years') || draft.values.has('confirmsOldDate')
  return (
    <>
      <DraftText
        draft={readableDraft(draft)}
        name="date"
        label="Date"
        type="date"
        initial={now}
        {...(hint && { hint })}
      />
      {isOld && <CheckField draft={draft} name="confirmsOldDate" label="The year is right" />}
    </>
  )
}

type CheckProps = { draft: Draft; name: string; label: string; hint?: string; initial?: boolean }

export function CheckField({ draft, name, label, hint, initial = false }: CheckProps) {
  return (
    <div class="mb-3">
      <label class="form-check">
        <input
          class="form-check-input"
          type="checkbox"
          id={name}
          name={name}
          value="yes"
          checked={draft.values.has(name) || initial}
        />
        <span class="form-check-label">{label}</span>
      </label>
      {hint && <p class="form-hint">{hint}</p>}
    </div>
  )
}

export function readDay(form: URLSearchParams) {
  return {
    date: form.get('date') ?? '',
    ...(form.has('confirmsOldDate') && { confirmsOldDate: true }),
  }
}

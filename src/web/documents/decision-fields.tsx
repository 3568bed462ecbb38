// Fields of the forms that decide about a document, and what was entered in them.
import type { DocumentStory } from '../../books/documents/get-document-story.ts'
import { Alert } from '../../kernel/web/components.tsx'
import { formatDay } from '../components/day.tsx'
import { DraftText } from '../components/draft-fields.tsx'
import { formatMoney } from '../components/money.tsx'
import type { Draft } from '../shell/define-page.ts'
import { CheckField } from './act-form.tsx'

export function totalOf({ document: { totalMinor, currency } }: DocumentStory): string {
  return formatMoney(totalMinor, currency)
}

// People decide about the version that they saw.
export function VersionField({ draft, version }: { draft: Draft; version: number }) {
  return <input type="hidden" name="version" value={draft.values.get('version') ?? version} />
}

export function readVersion(form: URLSearchParams) {
  const version = form.get('version') ?? ''
  return /^\d{1,9}$/.test(version) ? { version: Number.parseInt(version, 10) } : {}
}

type DecisionProps = { draft: Draft; story: DocumentStory; hasRate: boolean }

export function DecisionFields({ draft, story, hasRate }: DecisionProps) {
  const { document, organisation } = story
  const isForeign = document.currency !== organisation.baseCurrency
  // A rate that was looked up is looked up again. One that was submitted can't be changed here.
  const stated = (document.fxRateStated && document.fxRate) || ''
  const isOld = draft.problems.date?.includes('ten years') || draft.values.has('confirmsOldDate')
  return (
    <>
      <VersionField draft={draft} version={document.version} />
      <ClosedPeriod story={story} />
      {hasRate && isForeign && !document.submittedAt && (
        <DraftText
          draft={draft}
          name="fxRate"
          label={`Rate: ${organisation.baseCurrency} for one ${document.currency}`}
          inputMode="decimal"
          initial={stated}
          hint={stated === '' ? 'Empty: the rate of the day.' : 'Empty: the rate of the draft.'}
          isOptional
        />
      )}
      {isOld && (
        <CheckField
          draft={draft}
          name="confirmsOldDate"
          label={`The document is of ${document.date}, more than ten years ago`}
        />
      )}
    </>
  )
}

// Owners and admins may still post there, which others would take for a mistake.
function ClosedPeriod({ story: { document, organisation } }: { story: DocumentStory }) {
  const until = organisation.softLockedUntil
  if (until === null || document.date > until) return null
  return (
    <div class="mb-3">
      <Alert tone="unsure">
        The books are closed up to {formatDay(until)}, and this is of {formatDay(document.date)}. It
        changes figures that may have been reported.
      </Alert>
    </div>
  )
}

export function readDecision(form: URLSearchParams) {
  const fxRate = (form.get('fxRate') ?? '').trim()
  return {
    ...readVersion(form),
    ...(fxRate !== '' && { fxRate }),
    ...(form.has('confirmsOldDate') && { confirmsOldDate: true }),
  }
}

export function MailFields({ draft, story: { contact } }: { draft: Draft; story: DocumentStory }) {
  return (
    <>
      <DraftText
        draft={draft}
        name="to"
        label="To"
        hint="E-mail addresses, separated by commas."
        initial={contact.email ?? ''}
      />
      <div class="mb-3">
        <label class="form-label" for="message">
          Message
        </label>
        <p class="form-hint">
          Replaces the greeting. The mail then says what is attached, and how to pay.
        </p>
        <textarea class="form-control" id="message" name="message" rows={5}>
          {draft.values.get('message') ?? ''}
        </textarea>
      </div>
    </>
  )
}

export function readMail(form: URLSearchParams) {
  const to = (form.get('to') ?? '').split(/[,;\s]+/).filter((address) => address !== '')
  const message = (form.get('message') ?? '').trim()
  return { ...(to.length > 0 && { to }), ...(message !== '' && { message }) }
}

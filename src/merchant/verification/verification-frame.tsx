// The frame of all verification pages: the business, the progress and important notes.
import type { ComponentChildren } from 'preact'
import { Alert } from '../../kernel/web/components.tsx'
import type { PageAnswer } from '../../kernel/web/page.ts'
import { listMissing, type StepName, steps } from './dossier.ts'
import type { OpenedDossier } from './open-verification.ts'

export type StepPage = {
  readonly opened: OpenedDossier
  readonly step: StepName
  readonly status?: number
  readonly children: ComponentChildren
}

export function stepAnswer({ opened, step, status = 200, children }: StepPage): PageAnswer {
  const number = steps.findIndex(({ name }) => name === step) + 1
  const title = steps[number - 1]?.title ?? ''
  return {
    status,
    headers: privateHeaders,
    title: `${status === 200 ? '' : 'Error: '}${title}`,
    body: (
      <div class="form-page">
        <ModeNote opened={opened} />
        <p class="quiet mb-1">Verification of {opened.businessName}</p>
        <Progress opened={opened} step={step} />
        {opened.lastRejection !== undefined && (
          <div class="mb-3">
            <Alert tone="unsure">
              <strong>The last application was rejected.</strong> {opened.lastRejection}
            </Alert>
          </div>
        )}
        <p class="quiet mb-1">
          Step {number} of {steps.length}
        </p>
        <h1>{title}</h1>
        {children}
      </div>
    ),
  }
}

// The URL is a secret, so search engines must not index it.
export const privateHeaders = { 'x-robots-tag': 'noindex' }

export function ModeNote({ opened }: { opened: Pick<OpenedDossier, 'tenant' | 'isSimulated'> }) {
  if (opened.tenant.environment === 'test') {
    return (
      <div class="mb-3">
        <Alert tone="unsure">
          <strong>Test mode:</strong> this is a rehearsal. It does not verify the business.
        </Alert>
      </div>
    )
  }
  if (!opened.isSimulated) return null
  return (
    <div class="mb-3">
      <Alert tone="unsure">
        <strong>Demonstration:</strong> this verification is simulated. Don’t upload private files.
      </Alert>
    </div>
  )
}

function Progress({ opened, step }: { opened: OpenedDossier; step: StepName }) {
  const missing = new Set(listMissing(opened.dossier, opened.session).map((entry) => entry.step))
  return (
    <nav aria-label="Progress">
      <ol class="step-list">
        {steps.map(({ name, title }) => {
          const isDone = name !== 'review' && !missing.has(name)
          return (
            <li key={name} {...(isDone && { class: 'step-done' })}>
              <a
                href={`${opened.path}/${name}`}
                {...(name === step ? { 'aria-current': 'step' as const } : {})}
              >
                {title}
                {isDone && <span class="visually-hidden"> (done)</span>}
              </a>
            </li>
          )
        })}
      </ol>
    </nav>
  )
}

type StepLinksProps = { opened: OpenedDossier; step: StepName; mayGoOn?: boolean }

// Links to the next and the previous step.
export function StepLinks({ opened, step, mayGoOn = true }: StepLinksProps) {
  const at = steps.findIndex(({ name }) => name === step)
  const [before, after] = [steps[at - 1], steps[at + 1]]
  return (
    <p class="actions mt-4">
      {after && mayGoOn && (
        <a class="btn btn-primary" href={`${opened.path}/${after.name}`}>
          Continue
        </a>
      )}
      {before && <a href={`${opened.path}/${before.name}`}>Back</a>}
    </p>
  )
}

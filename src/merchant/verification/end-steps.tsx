// The review before submitting, and the result.
import { Alert } from '../../kernel/web/components.tsx'
import { ErrorSummary } from '../../kernel/web/form.tsx'
import { businessKinds } from './details.ts'
import { documentKinds } from './document.ts'
import { listMissing } from './dossier.ts'
import type { OpenedDossier } from './open-verification.ts'
import { sharePercent } from './owner.ts'

type ReviewProps = { opened: OpenedDossier; problem?: string | undefined }

export function ReviewStep({ opened, problem }: ReviewProps) {
  const { path, dossier, session, isVerified, businessName } = opened
  const missing = listMissing(dossier, session)
  return (
    <>
      {isVerified && (
        <p>
          {businessName} is verified. You can change what is on file. We check changes again, and
          the business stays verified meanwhile.
        </p>
      )}
      {problem !== undefined && <ErrorSummary problems={{ confirm: problem }} />}
      {missing.length > 0 && (
        <div class="note note-unsure mb-3">
          <strong>Before you can submit:</strong>
          <ul class="mb-0">
            {missing.map(({ step, text }) => (
              <li key={text}>
                <a href={`${path}/${step}`}>{text}</a>
              </li>
            ))}
          </ul>
        </div>
      )}
      <Summary opened={opened} />
      {missing.length === 0 && (
        <form method="post" action={`${path}/review`} class="mt-4">
          <div class="mb-3">
            <label class="form-check">
              <input
                class={`form-check-input${problem ? ' is-invalid' : ''}`}
                type="checkbox"
                id="confirm"
                name="confirm"
                value="yes"
                {...(problem && { 'aria-invalid': true, 'aria-describedby': 'confirm-error' })}
              />
              <span class="form-check-label">
                Everything here is true and complete, and I am authorised to act for the business.
              </span>
            </label>
            {problem && (
              <p class="field-error" id="confirm-error">
                {problem}
              </p>
            )}
          </div>
          <button class="btn btn-primary" type="submit">
            Submit
          </button>
        </form>
      )}
    </>
  )
}

function Summary({ opened: { path, dossier, country } }: { opened: OpenedDossier }) {
  const { details, documents, owners } = dossier
  return (
    <>
      <SummaryHead title="Business details" href={`${path}/details`} />
      {details && (
        <dl class="facts">
          <dt>Registered name</dt>
          <dd>{details.legalName}</dd>
          <dt>Kind of business</dt>
          <dd>{businessKinds[details.kind]}</dd>
          <dt>Registration number</dt>
          <dd>{details.registrationNumber ?? 'none'}</dd>
          <dt>Address</dt>
          <dd>
            {details.street}, {details.city}, {country}
          </dd>
          <dt>What it does</dt>
          <dd>{details.activity}</dd>
        </dl>
      )}
      <SummaryHead title="Documents" href={`${path}/documents`} />
      <ul>
        {documents.map(({ id, kind, fileName }) => (
          <li key={id}>
            {documentKinds[kind].title}: {fileName}
          </li>
        ))}
      </ul>
      <SummaryHead title="Owners" href={`${path}/owners`} />
      <ul>
        {owners.map(({ id, name, bornOn, shareBasisPoints }) => (
          <li key={id}>
            {name}, born {bornOn}, {sharePercent(shareBasisPoints)} %
          </li>
        ))}
      </ul>
    </>
  )
}

function SummaryHead({ title, href }: { title: string; href: string }) {
  return (
    <div class="summary-head">
      <h2>{title}</h2>
      <a href={href} aria-label={`Change: ${title.toLowerCase()}`}>
        Change
      </a>
    </div>
  )
}

export type Ended = 'submitted' | 'verified' | 'rejected'

const endTitles: Readonly<Record<Ended, string>> = {
  submitted: 'We are checking your application',
  verified: 'Your business is verified',
  rejected: 'Your application was rejected',
}

// A rehearsal verifies nothing, and must not look as if it had.
export function endTitle({ tenant }: OpenedDossier, status: Ended): string {
  const isRehearsal = tenant.environment === 'test' && status === 'verified'
  return isRehearsal ? 'The rehearsal is complete' : endTitles[status]
}

type EndProps = { opened: OpenedDossier; status: Ended }

export function EndStep({ opened, status }: EndProps) {
  const { path, session, businessName, tenant } = opened
  switch (status) {
    case 'submitted':
      return (
        <p class="lead">
          Thank you. You don’t need to do anything else for {businessName} now. You can close this
          page, or leave it open to see the result.
        </p>
      )
    case 'verified':
      return tenant.environment === 'test' ? (
        <p class="lead">
          All steps worked. {businessName} itself was not checked: that takes the same steps with a
          live key. You can close this page.
        </p>
      ) : (
        <Alert tone="good">{businessName} is verified. You can close this page.</Alert>
      )
    case 'rejected':
      return (
        <>
          <Alert tone="bad">{session.rejectionReason}</Alert>
          <p class="mt-3">
            Your entries are saved. Correct them and submit again. You have to repeat the identity
            check.
          </p>
          <form method="post" action={`${path}/again`}>
            <button class="btn btn-primary" type="submit">
              Correct and submit again
            </button>
          </form>
        </>
      )
  }
}

export function ExpiredStep() {
  return (
    <div class="narrow">
      <h1>This link has expired</h1>
      <p class="lead">
        Links are valid for seven days. Ask the sender for a new one. Your entries are saved.
      </p>
    </div>
  )
}

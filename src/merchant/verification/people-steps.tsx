// The steps about people: the owners, and the identity check of one of them.
import { Alert } from '../../kernel/web/components.tsx'
import { ErrorSummary, TextField } from '../../kernel/web/form.tsx'
import type { OpenedDossier } from './open-verification.ts'
import { type Owner, type OwnerName, ownersMax, sharePercent, wholeBasisPoints } from './owner.ts'
import type { IdentityStatus } from './session.ts'
import { StepLinks } from './verification-frame.tsx'

export type OwnerForm = {
  // The owner being changed; undefined for a new one.
  readonly id: string | undefined
  readonly values: Readonly<Partial<Record<OwnerName, string>>>
  readonly problems: Readonly<Partial<Record<OwnerName, string>>>
}

type OwnersProps = { opened: OpenedDossier; form: OwnerForm; alert?: string | undefined }

export function OwnersStep({ opened, form, alert }: OwnersProps) {
  const { owners } = opened.dossier
  const isFull = owners.length >= ownersMax && form.id === undefined
  const total = owners.reduce((sum, { shareBasisPoints }) => sum + shareBasisPoints, 0)
  return (
    <>
      <ErrorSummary problems={form.problems} />
      {alert && <Alert tone="bad">{alert}</Alert>}
      <p>
        Add everyone who owns 25 % or more of the business. If no one does, add the person in
        charge.
      </p>
      {owners.length > 0 && (
        <>
          <OwnerList opened={opened} owners={owners} />
          <p class="quiet">
            {sharePercent(total)} of {sharePercent(wholeBasisPoints)} % entered.
          </p>
        </>
      )}
      {isFull ? (
        <p>You can add at most {ownersMax} owners.</p>
      ) : (
        <OwnerCard opened={opened} form={form} />
      )}
      <StepLinks opened={opened} step="owners" mayGoOn={owners.length > 0} />
    </>
  )
}

function OwnerList({ opened, owners }: { opened: OpenedDossier; owners: readonly Owner[] }) {
  return (
    <ul class="item-list">
      {owners.map(({ id, name, bornOn, shareBasisPoints }) => (
        <li key={id}>
          <span>
            {name}{' '}
            <span class="quiet">
              born {bornOn}, {sharePercent(shareBasisPoints)} %
            </span>
          </span>
          <span class="item-actions">
            <a
              class="btn btn-sm"
              href={`${opened.path}/owners?change=${id}#owner`}
              aria-label={`Change ${name}`}
            >
              Change
            </a>
            <form method="post" action={`${opened.path}/remove-owner`}>
              <input type="hidden" name="id" value={id} />
              <button class="btn btn-sm" type="submit" aria-label={`Remove ${name}`}>
                Remove
              </button>
            </form>
          </span>
        </li>
      ))}
    </ul>
  )
}

function OwnerCard({ opened, form: { id, values, problems } }: OwnersProps) {
  // A link to the next step would lose typed text, so it appears after the first owner is added.
  const isMainThing = opened.dossier.owners.length === 0 || id !== undefined
  return (
    <section class="card" id="owner" aria-labelledby="owner-title">
      <form class="card-body" method="post" action={`${opened.path}/owners`} novalidate>
        <h2 class="card-title" id="owner-title">
          {id ? 'Change an owner' : 'Add an owner'}
        </h2>
        {id && <input type="hidden" name="id" value={id} />}
        <TextField
          name="name"
          label="Full name"
          hint="As it appears in the passport or identity card."
          value={values.name ?? ''}
          error={problems.name}
          lengthMax={160}
        />
        <TextField
          name="bornOn"
          label="Date of birth"
          type="date"
          value={values.bornOn ?? ''}
          error={problems.bornOn}
        />
        <TextField
          name="share"
          label="Share in percent"
          hint="Enter 0 for a person who is in charge but owns no share."
          inputMode="decimal"
          value={values.share ?? ''}
          error={problems.share}
          lengthMax={8}
        />
        <p class="actions">
          <button class={isMainThing ? 'btn btn-primary' : 'btn'} type="submit">
            {id ? 'Save owner' : 'Add owner'}
          </button>
          {id && <a href={`${opened.path}/owners`}>Cancel</a>}
        </p>
      </form>
    </section>
  )
}

const startTexts: Readonly<Record<Exclude<IdentityStatus, 'passed'>, string>> = {
  none: 'Start the check',
  waiting: 'Continue the check',
  failed: 'Try again',
}

type IdentityProps = {
  opened: OpenedDossier
  problem?: string | undefined
}

export function IdentityStep({ opened, problem }: IdentityProps) {
  const { owners } = opened.dossier
  const { identityStatus, identityOwnerId } = opened.session
  if (owners.length === 0) {
    return (
      <>
        <p>The identity check is for one of the owners. Add the owners first.</p>
        <p class="actions">
          <a class="btn btn-primary" href={`${opened.path}/owners`}>
            Add owners
          </a>
        </p>
      </>
    )
  }
  if (identityStatus === 'passed') {
    const owner = owners.find(({ id }) => id === identityOwnerId)
    return (
      <>
        <Alert tone="good">{owner?.name ?? 'The owner'} passed the identity check.</Alert>
        <StepLinks opened={opened} step="identity" />
      </>
    )
  }
  return (
    <>
      {problem !== undefined && <ErrorSummary problems={{ start: problem }} />}
      <IdentityNote status={identityStatus} path={opened.path} />
      <p>
        The check confirms your identity. You need a camera, good light and a passport or identity
        card. It takes about two minutes on the page of our verification partner. Then you return
        here.
      </p>
      <form method="post" action={`${opened.path}/identity`}>
        <fieldset class="mb-3">
          <legend class="form-label">Who are you?</legend>
          {owners.map(({ id, name }, index) => (
            <label key={id} class="form-check">
              <input
                class="form-check-input"
                type="radio"
                name="owner"
                value={id}
                checked={identityOwnerId ? id === identityOwnerId : index === 0}
              />
              <span class="form-check-label">{name}</span>
            </label>
          ))}
        </fieldset>
        <button class="btn btn-primary" type="submit" id="start">
          {startTexts[identityStatus]}
        </button>
      </form>
      <p class="mt-4">
        <a href={`${opened.path}/owners`}>Back</a>
      </p>
    </>
  )
}

function IdentityNote({ status, path }: { status: IdentityStatus; path: string }) {
  if (status === 'failed') {
    return (
      <div class="mb-3">
        <Alert tone="bad">
          The check failed. Make sure that the light is good and that nothing covers your face, then
          try again.
        </Alert>
      </div>
    )
  }
  if (status !== 'waiting') return null
  return (
    <div class="mb-3">
      <Alert tone="unsure">
        The check has no result yet. Continue it below, or{' '}
        <a href={`${path}/identity/return`}>check again</a> if you have finished it.
      </Alert>
    </div>
  )
}

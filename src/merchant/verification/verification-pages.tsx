// The hosted pages on which the owner of a business has it verified. Anyone with the secret URL can
// use them. Each form posts to its own path and the response redirects, so that reloading and going
// back post nothing twice.
import type { SystemActor } from '../../kernel/auth/actor.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import { runOperation } from '../../kernel/operations/run-operation.ts'
import { type Page, type PageAnswer, type PageRequest, redirectTo } from '../../kernel/web/page.ts'
import type { MerchantContext } from '../context.ts'
import { addDocuments } from './add-documents.ts'
import { applyForVerification } from './apply-for-verification.ts'
import { createVerification } from './create-verification.ts'
import { readDetails } from './details.ts'
import { type DocumentProblems, documentBytesMax, documentKinds } from './document.ts'
import { listMissing } from './dossier.ts'
import { DetailsStep, DocumentsStep, isContinuing } from './dossier-steps.tsx'
import { type Ended, EndStep, ExpiredStep, endTitle, ReviewStep } from './end-steps.tsx'
import { hasProblems } from './form-values.ts'
import {
  type Opened,
  type OpenedDossier,
  openDossier,
  openVerification,
} from './open-verification.ts'
import { sharePercent } from './owner.ts'
import { IdentityStep, type OwnerForm, OwnersStep } from './people-steps.tsx'
import { isExpired, parseAddress } from './session.ts'
import { removeDocument, removeOwner, saveDetails, saveOwner } from './update-dossier.ts'
import { ModeNote, privateHeaders, stepAnswer } from './verification-frame.tsx'
import { finishIdentityCheck, startIdentityCheck } from './verify-identity.ts'

type Handle = (
  context: MerchantContext,
  opened: OpenedDossier,
  request: PageRequest,
) => Promise<PageAnswer>

const base = '/verify/:address'

export function verificationPages(context: MerchantContext): Page[] {
  const page = (method: Page['method'], path: string, handle: Handle): Page => ({
    method,
    path: `${base}${path}`,
    handle: (request) => serve(context, request, handle),
  })
  const pages: Page[] = [
    { method: 'GET', path: base, handle: (request) => showStart(context, request) },
    page('GET', '/details', showDetails),
    page('POST', '/details', postDetails),
    page('GET', '/documents', async (_, opened) => documentsAnswer(200, opened, {})),
    {
      ...page('POST', '/documents', postDocuments),
      hosted: 'costly',
      takesFiles: {
        bytesMax: documentBytesMax,
        filesMax: Object.keys(documentKinds).length,
        admit: (request) => admit(context, request),
      },
    },
    page('POST', '/remove-document', async (_, opened, { form }) => {
      await removeDocument(context, opened, form.get('id') ?? '')
      return redirectTo(`${opened.path}/documents`)
    }),
    page('GET', '/owners', async (_, opened, { url }) => {
      const owner = opened.dossier.owners.find(({ id }) => id === url.searchParams.get('change'))
      const values = owner && { ...owner, share: sharePercent(owner.shareBasisPoints) }
      return ownersAnswer(200, opened, { id: owner?.id, values: values ?? {}, problems: {} })
    }),
    page('POST', '/owners', postOwner),
    page('POST', '/remove-owner', async (_, opened, { form }) => {
      await removeOwner(context, opened, form.get('id') ?? '')
      return redirectTo(`${opened.path}/owners`)
    }),
    page('GET', '/identity', async (_, opened) => identityAnswer(200, opened)),
    page('POST', '/identity', postIdentity),
    page('GET', '/identity/return', async (_, opened) => {
      const status = await finishIdentityCheck(context, opened)
      return redirectTo(`${opened.path}/${status === 'passed' ? 'review' : 'identity'}`)
    }),
    page('GET', '/review', async (_, opened) => reviewAnswer(200, opened)),
    page('POST', '/review', postReview),
    { method: 'GET', path: `${base}/status`, handle: (request) => showStatus(context, request) },
    { method: 'POST', path: `${base}/again`, handle: (request) => startAgain(context, request) },
  ]
  return pages.map((each) => ({ hosted: 'plain', ...each }))
}

// Only open sessions show the steps; others show the result.
async function serve(
  context: MerchantContext,
  request: PageRequest,
  handle: Handle,
): Promise<PageAnswer> {
  const opened = await find(context, request)
  if (opened.session.status !== 'open') return redirectTo(`${opened.path}/status`)
  if (isExpired(opened.session, context.clock.now())) return expiredAnswer
  return handle(context, await openDossier(context, opened), request)
}

async function find(context: MerchantContext, { url }: PageRequest): Promise<Opened> {
  const address = parseAddress(url.pathname.split('/')[2] ?? '')
  const opened = address && (await openVerification(context, address))
  if (!opened) throw notFound('page')
  return opened
}

async function admit(context: MerchantContext, request: PageRequest): Promise<void> {
  await find(context, request)
}

const expiredAnswer: PageAnswer = {
  status: 410,
  headers: privateHeaders,
  title: 'This link has expired',
  body: <ExpiredStep />,
}

// Redirects the owner to the first step that is incomplete. A verified business has all of them: it
// begins with what is on file.
async function showStart(context: MerchantContext, request: PageRequest): Promise<PageAnswer> {
  return serve(context, request, async (_, { path, dossier, session, isVerified }) => {
    const first = listMissing(dossier, session)[0]?.step ?? 'review'
    return redirectTo(`${path}/${isVerified && first === 'identity' ? 'review' : first}`)
  })
}

const showDetails: Handle = async (_context, opened) => {
  const { details } = opened.dossier
  const values = details
    ? { ...details, registrationNumber: details.registrationNumber ?? '' }
    : { legalName: opened.businessName }
  return stepAnswer({
    opened,
    step: 'details',
    children: <DetailsStep opened={opened} values={values} problems={{}} />,
  })
}

const postDetails: Handle = async (context, opened, { form }) => {
  const details = readDetails(form)
  if (hasProblems(details)) {
    const values = Object.fromEntries(form)
    const children = <DetailsStep opened={opened} values={values} problems={details.problems} />
    return stepAnswer({ opened, step: 'details', status: 422, children })
  }
  await saveDetails(context, opened, details)
  return redirectTo(`${opened.path}/documents`)
}

function documentsAnswer(status: number, opened: OpenedDossier, problems: DocumentProblems) {
  const children = <DocumentsStep opened={opened} problems={problems} />
  return stepAnswer({ opened, step: 'documents', status, children })
}

// Valid files are kept even if others are refused.
const postDocuments: Handle = async (context, opened, { upload, url }) => {
  const mayBeEmpty = isContinuing(url)
  const problems = await addDocuments(context, opened, upload, { mayBeEmpty })
  if (Object.keys(problems).length === 0) {
    return redirectTo(`${opened.path}/${mayBeEmpty ? 'owners' : 'documents'}`)
  }
  return documentsAnswer(422, await openDossier(context, opened), problems)
}

function ownersAnswer(status: number, opened: OpenedDossier, form: OwnerForm, alert?: string) {
  const children = <OwnersStep opened={opened} form={form} alert={alert} />
  return stepAnswer({ opened, step: 'owners', status, children })
}

const postOwner: Handle = async (context, opened, { form }) => {
  const saved = await saveOwner(context, opened, form)
  if (saved === undefined || saved === 'closed') return redirectTo(`${opened.path}/owners`)
  const id = opened.dossier.owners.find((owner) => owner.id === form.get('id'))?.id
  const values = Object.fromEntries(form)
  if (hasProblems(saved)) {
    return ownersAnswer(422, opened, { id, values, problems: saved.problems })
  }
  return ownersAnswer(422, opened, { id, values, problems: {} }, 'Remove an owner first.')
}

function identityAnswer(status: number, opened: OpenedDossier, problem?: string) {
  const children = <IdentityStep opened={opened} problem={problem} />
  return stepAnswer({ opened, step: 'identity', status, children })
}

const postIdentity: Handle = async (context, opened, { form }) => {
  const started = await startIdentityCheck(context, opened, form.get('owner') ?? '')
  if (started === 'closed') return redirectTo(opened.path)
  switch (started.kind) {
    case 'hand_over':
      return redirectTo(started.url)
    case 'passed':
      return redirectTo(`${opened.path}/review`)
    case 'no_owner':
      return identityAnswer(422, opened, 'Choose which owner you are.')
    case 'unreachable': {
      const text = 'Our verification partner is not responding. Try again in a minute.'
      return identityAnswer(502, opened, text)
    }
  }
}

function reviewAnswer(status: number, opened: OpenedDossier, problem?: string) {
  const children = <ReviewStep opened={opened} problem={problem} />
  return stepAnswer({ opened, step: 'review', status, children })
}

const postReview: Handle = async (context, opened, { form }) => {
  const isComplete = listMissing(opened.dossier, opened.session).length === 0
  if (isComplete && form.get('confirm') !== 'yes') {
    return reviewAnswer(422, opened, 'Confirm that everything is true and complete.')
  }
  const missing = await applyForVerification(context, opened)
  if (missing !== 'closed' && missing.length > 0) return reviewAnswer(422, opened)
  return redirectTo(`${opened.path}/status`)
}

// The page reloads while it waits for the decision.
const reloadSeconds = 5

async function showStatus(context: MerchantContext, request: PageRequest): Promise<PageAnswer> {
  const found = await find(context, request)
  const { session, path } = found
  if (isExpired(session, context.clock.now())) return expiredAnswer
  if (session.status === 'open') return redirectTo(path)
  const opened = await openDossier(context, found)
  const status = session.status as Ended
  const refresh = { refresh: `${reloadSeconds}; url=${path}/status` }
  return {
    status: 200,
    headers: { ...privateHeaders, ...(status === 'submitted' && refresh) },
    title: endTitle(opened, status),
    body: (
      <div class="form-page">
        <ModeNote opened={opened} />
        <p class="quiet mb-1">Verification of {opened.businessName}</p>
        <h1>{endTitle(opened, status)}</h1>
        <EndStep opened={opened} status={status} />
      </div>
    ),
  }
}

// After a rejection the owner can start again without a new link.
async function startAgain(context: MerchantContext, request: PageRequest): Promise<PageAnswer> {
  const { tenant, session, path } = await find(context, request)
  if (isExpired(session, context.clock.now())) return expiredAnswer
  if (session.status !== 'rejected') return redirectTo(path)
  const actor: SystemActor = { ...tenant, kind: 'system', name: 'verification page' }
  return redirectTo((await runOperation(createVerification, context, actor, {})).path)
}

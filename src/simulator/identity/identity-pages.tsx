// Simulates the page on which a verifier checks a person with the camera. The visitor chooses the
// result.
import { notFound } from '../../kernel/basics/fault.ts'
import { isUuid } from '../../kernel/basics/id.ts'
import { type Page, type PageAnswer, type PageRequest, redirectTo } from '../../kernel/web/page.ts'
import type { SimulatorContext } from '../context.ts'
import { payerAnswer } from '../pages/payer-document.tsx'
import { identityPath } from './identity-endpoints.ts'
import { findIdentityPage, type IdentityCheck, updateVerdict } from './identity-store.ts'

export function identityPages(context: SimulatorContext): Page[] {
  const path = `${identityPath}/:id`
  return [
    { method: 'GET', path, handle: (request) => show(context, request) },
    { method: 'POST', path, handle: (request) => decide(context, request) },
  ]
}

async function show(context: SimulatorContext, request: PageRequest): Promise<PageAnswer> {
  const check = await findCheck(context, request)
  if (check.status !== 'waiting') return redirectTo(check.returnUrl)
  const { personName, returnUrl, id } = check
  return payerAnswer(200, {
    title: 'Identity check',
    notice: 'this is not a real check. Choose the result.',
    redirectUrl: returnUrl,
    body: (
      <>
        <h1>Identity check</h1>
        <p>
          A real verifier would now ask <strong>{personName}</strong> to look into the camera and
          hold up an identity card.
        </p>
        <form method="post" action={`${identityPath}/${id}`}>
          <button type="submit" name="verdict" value="passed">
            Pass the check
          </button>
          <button type="submit" name="verdict" value="failed" class="plain">
            Fail the check
          </button>
        </form>
        <p>
          <a href={returnUrl}>Go back without a check</a>
        </p>
      </>
    ),
  })
}

async function decide(context: SimulatorContext, request: PageRequest): Promise<PageAnswer> {
  const check = await findCheck(context, request)
  const verdict = request.form.get('verdict')
  if (verdict !== 'passed' && verdict !== 'failed') return show(context, request)
  await updateVerdict(context.database.sql, check.tenant, check.id, verdict)
  return redirectTo(check.returnUrl)
}

async function findCheck(
  { database }: SimulatorContext,
  { url }: PageRequest,
): Promise<IdentityCheck> {
  const id = url.pathname.split('/').at(-1) ?? ''
  const check = isUuid(id) ? await findIdentityPage(database.sql, id) : undefined
  if (!check) throw notFound('page')
  return check
}

// The second factor of the person who is signed in: the authenticator app and the backup codes.
import { confirmOwnFactor } from '../../kernel/account/confirm-own-factor.ts'
import { proposeOwnFactor } from '../../kernel/account/propose-own-factor.ts'
import { renewBackupCodes } from '../../kernel/account/renew-backup-codes.ts'
import { BackupCodes, drawFactor, NewFactor } from '../../kernel/web/new-factor.tsx'
import { formPage } from '../components/form-page.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { type AppRoute, defineForm, type Shown } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { accountPath as path } from './account-path.ts'

const back = (visit: Visit) => ({ href: visit.href(path), text: 'My account' })

const authenticatorForm = defineForm({
  path: `${path}/authenticator`,
  operation: confirmOwnFactor,
  isSensitive: true,
  input: (visit, form) => ({
    proposal: form.get('proposal') ?? '',
    code: form.get('code') ?? '',
    sessionId: visit.session.sessionId,
  }),
  async show(visit, draft) {
    const earlier = draft.values.get('proposal')
    const factor = await visit.run(proposeOwnFactor, earlier === null ? {} : { earlier })
    const isReplaced = visit.session.secondFactor === 'proven'
    return formPage({
      title: isReplaced ? 'Replace the authenticator app' : 'Set up an authenticator app',
      back: back(visit),
      draft,
      submit: isReplaced ? 'Replace app' : 'Set up app',
      showsSecret: true,
      children: (
        <>
          {isReplaced && (
            <p>
              The old app and its backup codes stop working, and your other sessions end. Until you
              finish here, nothing changes.
            </p>
          )}
          <NewFactor factor={factor} image={await drawFactor(factor)} error={draft.problems.code} />
        </>
      ),
    })
  },
  done: (visit, codes) => showCodes(visit, 'Your authenticator app is set up', codes),
})

const backupCodesForm = defineForm({
  path: `${path}/backup-codes`,
  operation: renewBackupCodes,
  isSensitive: true,
  input: () => ({}),
  show: async (visit, draft) =>
    formPage({
      title: 'New backup codes',
      back: back(visit),
      draft,
      submit: 'Make new codes',
      showsSecret: true,
      children: <p>You get ten new codes. The old ones stop working at once.</p>,
    }),
  done: (visit, codes) => showCodes(visit, 'Your new backup codes', codes),
})

function showCodes(visit: Visit, title: string, codes: readonly string[]): Shown {
  return {
    title,
    content: (
      <>
        <PageHeader title={title} />
        <div class="narrow">
          <BackupCodes codes={codes} />
          <p class="actions mt-3">
            <a class="btn btn-primary" href={visit.href(path)}>
              I have saved them
            </a>
            <button type="button" class="btn" data-print hidden>
              Print
            </button>
          </p>
        </div>
      </>
    ),
  }
}

export const factorForms: AppRoute[] = [...authenticatorForm, ...backupCodesForm]

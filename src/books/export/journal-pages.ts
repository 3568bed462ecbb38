// The journal as a file for signed-in people: `/books/journal.ledger`, `.hledger` and `.beancount`.
import type { Membership } from '../../kernel/auth/membership.ts'
import type { People } from '../../kernel/auth/people.ts'
import type { Tenant } from '../../kernel/basics/tenant.ts'
import { runOperation } from '../../kernel/operations/run-operation.ts'
import type { Page } from '../../kernel/web/page.ts'
import { findSignedIn, signInFirst } from '../../kernel/web/signed-in.ts'
import type { SiteLink } from '../../kernel/web/site.ts'
import type { BooksContext } from '../context.ts'
import { exportJournal } from './export-journal.ts'
import { type ExportFormat, exportFormats } from './journal-text.ts'

export function journalPages(context: BooksContext, people: People): Page[] {
  return exportFormats.map((format) => ({
    method: 'GET',
    path: pathOf(format),
    async handle(request) {
      const actor = await findSignedIn(people, request)
      if (!actor) return signInFirst(request)
      const filename = `journal-${actor.environment}.${format}`
      return {
        status: 200,
        headers: {
          'cache-control': 'no-store',
          'content-type': 'text/plain; charset=utf-8',
          'content-disposition': `attachment; filename="${filename}"`,
        },
        pieces: await runOperation(exportJournal, context, actor, { format }),
      }
    },
  }))
}

// Shown on the page that lists a person's businesses.
export function journalLinks({ businessId, role }: Membership): SiteLink[] {
  if (!exportJournal.roles.includes(role)) return []
  return exportFormats.map((format) => ({
    href: exportHref(format, { businessId, environment: 'live' }),
    text: `Journal for ${format}`,
  }))
}

export function exportHref(format: ExportFormat, { businessId, environment }: Tenant): string {
  const ofSandbox = environment === 'test' ? '&environment=test' : ''
  return `${pathOf(format)}?business=${businessId}${ofSandbox}`
}

function pathOf(format: string): string {
  return `/books/journal.${format}`
}

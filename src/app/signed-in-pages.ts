import { journalPages } from '../books/export/journal-pages.ts'
import type { People } from '../kernel/auth/people.ts'
import type { Health } from '../kernel/http/health.ts'
import type { Page } from '../kernel/web/page.ts'
import type { Site } from '../kernel/web/site.ts'
import type { MerchantContext } from '../merchant/context.ts'
import { invitationPages } from '../web/account/invitation-pages.tsx'
import { linkPages } from '../web/account/link-pages.tsx'
import { passwordResetPages } from '../web/account/password-reset-pages.tsx'
import { appRoutes } from '../web/app-routes.ts'
import { appPages } from '../web/shell/mount-app.tsx'
import { readBadges } from '../web/shell/read-badges.ts'
import { access, invitations } from './access.ts'
import { endpointServices } from './endpoints.ts'

// The pages of the application, for the people of a business.
export function signedInPages(
  context: MerchantContext,
  people: People,
  site: Site,
  health: Health,
): Page[] {
  const isOpen = health.isAccepting
  const routes = appRoutes({ access, webhooks: endpointServices, isOpen })
  return [
    ...appPages({ context, people, site, routes, readBadges }),
    ...journalPages(context, people),
    ...linkPages(context, people),
    ...invitationPages(context, people, invitations),
    ...passwordResetPages(context),
  ]
}

import type { People } from '../kernel/auth/people.ts'
import type { Health } from '../kernel/http/health.ts'
import type { Page } from '../kernel/web/page.ts'
import type { MerchantContext } from '../merchant/context.ts'
import { listLongestPauses } from '../merchant/pauses/list-longest-pauses.ts'
import { publicPages } from '../web/public/public-pages.ts'
import { setUpPages } from '../web/set-up/set-up-pages.tsx'
import type { ApplicationSettings } from './application.ts'
import { services } from './services.ts'
import { createSetUp } from './set-up.ts'

// What a visitor sees who is not signed in: the front page, or the set-up of a new server.
export function frontPages(
  { publicUrl, demo = false, onSetUp }: ApplicationSettings,
  context: MerchantContext,
  people: People,
  health: Health,
): Page[] {
  const setUp = onSetUp && createSetUp(context, people, onSetUp)
  const landing = {
    ...{ services, health, publicUrl, isDemo: demo && context.isLiveSimulated },
    listPauses: () => listLongestPauses(context),
    findSession: people.findSession,
  }
  return [...publicPages(landing, setUp?.isNeeded), ...(setUp ? setUpPages(setUp, people) : [])]
}

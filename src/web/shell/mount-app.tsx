// Turns the routes of the application into pages of the server: finds the person and the business,
// runs the route, and puts what it shows into the frame. Refusals are shown inside the frame too.

import type { People } from '../../kernel/auth/people.ts'
import { Fault, faultKinds, permissionDenied } from '../../kernel/basics/fault.ts'
import type { Environment } from '../../kernel/basics/tenant.ts'
import { getUnreadNotices, type UnreadNotices } from '../../kernel/notices/list-notices.ts'
import { mayCall, requirePermission } from '../../kernel/operations/permission.ts'
import type { Page, PageAnswer, PageRequest } from '../../kernel/web/page.ts'
import { setUpFirst } from '../../kernel/web/second-factor-pages.tsx'
import { signInFirst } from '../../kernel/web/signed-in.ts'
import type { Site } from '../../kernel/web/site.ts'
import type { AppAnswer, AppRoute, Shown } from './define-page.ts'
import { clearFlash, readFlash } from './flash.ts'
import { renderFrame } from './frame.tsx'
import { inLocale } from './request-locale.ts'
import { businessPath, findVisit, type Visit, type WebContext } from './visit.ts'

export type AppOptions = {
  readonly context: WebContext
  readonly people: People
  readonly site: Site
  readonly routes: readonly AppRoute[]
  // Numbers beside places in the navigation.
  readonly readBadges: (visit: Visit) => Promise<Readonly<Record<string, number>>>
}

const environments: readonly Environment[] = ['live', 'test']

export function appPages(options: AppOptions): Page[] {
  return environments.flatMap((environment) =>
    options.routes.map((route) => ({
      method: route.method,
      path: pathIn(environment, route),
      ...(route.takesFiles && {
        takesFiles: {
          ...route.takesFiles,
          admit: (request: PageRequest) => admit(options, route, environment, request),
        },
      }),
      handle: (request: PageRequest) => handle(options, route, environment, request),
    })),
  )
}

function pathIn(environment: Environment, { path }: AppRoute): string {
  return `${businessPath(':business', environment)}${path === '/' ? '' : path}`
}

// Before a file is read.
async function admit(
  { context, people }: AppOptions,
  { operation }: AppRoute,
  environment: Environment,
  request: PageRequest,
): Promise<void> {
  const session = await people.findSession(request.headers)
  if (!session) throw permissionDenied('You are signed out. Sign in, and upload the file again.')
  const visit = await findVisit(context, people, request, { environment, session })
  if (visit === 'locked') throw permissionDenied('Set up a second factor first.')
  requirePermission(operation, visit.actor)
}

async function handle(
  options: AppOptions,
  route: AppRoute,
  environment: Environment,
  request: PageRequest,
): Promise<PageAnswer> {
  const { isPassive } = route
  const session = await options.people.findSession(request.headers, { isPassive })
  if (!session) return signInFirst(request)
  const visit = await findVisit(options.context, options.people, request, { environment, session })
  if (visit === 'locked') return setUpFirst(request)
  return inLocale(visit.locale, async () => {
    // Beside the page. A form changes what the frame shows, so its counts are read after it.
    const early = route.method === 'GET' ? readCounts(options, visit) : undefined
    // Only a page needs them: a file or a redirect does not fail with them.
    early?.catch(() => undefined)
    const shown = await answer(route, visit)
    if (!('content' in shown)) return shown
    return frame(options, visit, shown, await (early ?? readCounts(options, visit)))
  })
}

type Counts = {
  readonly badges: Readonly<Record<string, number>>
  readonly unread: UnreadNotices
}

async function readCounts({ readBadges }: AppOptions, visit: Visit): Promise<Counts> {
  const [badges, unread] = await Promise.all([readBadges(visit), visit.run(getUnreadNotices, {})])
  return { badges, unread }
}

async function answer(route: AppRoute, visit: Visit): Promise<AppAnswer> {
  try {
    return await route.handle(visit)
  } catch (error) {
    if (error instanceof Fault) return refusal(visit, error)
    throw error
  }
}

function refusal(visit: Visit, { kind, error }: Fault): Shown {
  const { status } = faultKinds[kind]
  const title = titles[kind] ?? 'This is not possible'
  const advice =
    typeof error === 'string'
      ? error
      : [...error.formErrors, ...Object.values(error.fieldErrors).flat()].join(' ')
  return {
    status,
    title,
    content: (
      <div class="narrow">
        <h1>{title}</h1>
        <p class="lead">{advice}</p>
        <p>
          <a href={visit.href('/')}>Go to Home</a>
        </p>
      </div>
    ),
  }
}

const titles: Partial<Record<Fault['kind'], string>> = {
  not_found: 'Not found',
  permission_denied: 'Not allowed',
  unavailable: 'Temporarily unavailable',
  service_paused: 'Paused',
  provider_failed: 'Problem with the payment provider',
}

function frame(
  { site, routes, context }: AppOptions,
  visit: Visit,
  shown: Shown,
  counts: Counts,
): PageAnswer {
  const flash = readFlash(visit.request.headers)
  const openPaths = new Set(
    routes
      .filter(({ method, operation }) => method === 'GET' && mayCall(operation, visit.actor))
      .map(({ path }) => path),
  )
  const body = renderFrame({
    visit,
    assets: site.assets,
    title: shown.title,
    flash,
    isLive: shown.isLive ?? false,
    script: shown.script,
    openPaths,
    ...counts,
    children: shown.content,
  })
  return {
    status: shown.status ?? 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      ...(flash !== undefined && { 'set-cookie': [clearFlash(context.publicUrl)] }),
    },
    body,
  }
}

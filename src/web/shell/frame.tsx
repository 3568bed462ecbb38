// The frame of the application: navigation, the business and environment in which the person works,
// their account, and the content. It is complete without JavaScript: menus are `<details>`.
import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { Environment } from '../../kernel/basics/tenant.ts'
import type { UnreadNotices } from '../../kernel/notices/list-notices.ts'
import type { AssetName, Assets } from '../../kernel/web/assets.ts'
import { Wordmark } from '../../kernel/web/components.tsx'
import { siteName } from '../../kernel/web/site.ts'
import { Icon } from '../components/icon.tsx'
import { NoticeBell } from '../notices/notice-bell.tsx'
import { Palette, SearchBox } from '../search/search-box.tsx'
import { type Place, placeGroups, placeOf } from './navigation.ts'
import { roleLabels } from './role-labels.ts'
import { businessPath, type Visit } from './visit.ts'

export type FrameProps = {
  readonly visit: Visit
  readonly assets: Assets
  readonly title: string
  readonly flash: string | undefined
  readonly isLive: boolean
  // A script that only this page needs.
  readonly script: AssetName | undefined
  // The paths that this person may open.
  readonly openPaths: ReadonlySet<string>
  readonly unread: UnreadNotices
  // Numbers beside places, such as the approvals that wait.
  readonly badges: Readonly<Record<string, number>>
  readonly children: ComponentChildren
}

export function renderFrame(props: FrameProps): string {
  return `<!doctype html>${renderToString(<Frame {...props} />)}`
}

function Frame(props: FrameProps) {
  const { visit, assets, title, flash, isLive, script, openPaths, children } = props
  const { nonce } = visit.request
  const { environment } = visit.actor
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="csp-nonce" content={nonce} />
        <meta name="turbo-refresh-method" content="morph" />
        <meta name="turbo-refresh-scroll" content="preserve" />
        <title>{`${title} · ${visit.membership.businessName} · ${siteName}`}</title>
        <link rel="icon" href={assets.url('favicon.svg')} type="image/svg+xml" />
        <link rel="stylesheet" href={assets.url('tabler.css')} data-turbo-track="reload" />
        <link rel="stylesheet" href={assets.url('tillbook.css')} data-turbo-track="reload" />
        <link rel="stylesheet" href={assets.url('app.css')} data-turbo-track="reload" />
        <script type="module" src={assets.url('app.js')} nonce={nonce} data-turbo-track="reload" />
        {script && (
          <>
            {/* Loaded as a whole: the policy of the page before does not know this script. */}
            <meta name="turbo-visit-control" content="reload" />
            <script type="module" src={assets.url(script)} nonce={nonce} />
          </>
        )}
      </head>
      <body
        class={`app app-${environment}`}
        data-locale={visit.locale}
        {...(isLive && { 'data-live': visit.href('/live') })}
      >
        <a class="skip-link" href="#main">
          Skip to content
        </a>
        {environment === 'test' && (
          <p class="sandbox-bar">
            <strong>Sandbox.</strong> Test data; no real money moves.
          </p>
        )}
        <div class="app-grid">
          <Sidebar {...props} />
          <div class="app-body">
            <TopBar {...props} />
            <main id="main" class="app-main" tabIndex={-1}>
              {flash && (
                <div class="note note-good mb-3" role="status">
                  {flash}
                </div>
              )}
              {children}
            </main>
          </div>
        </div>
        {openPaths.has('/search') && <Palette visit={visit} />}
      </body>
    </html>
  )
}

function Sidebar(props: FrameProps) {
  return (
    <div class="app-side">
      <details class="side-menu">
        <summary>
          <Icon name="menu" />
          <span class="visually-hidden">Menu</span>
        </summary>
        <div class="side-menu-list">
          <EnvironmentSwitch visit={props.visit} />
          <Places {...props} label="Menu" />
        </div>
      </details>
      <div class="side-wide">
        <a class="wordmark" href={props.visit.href('/')}>
          <Wordmark />
        </a>
        <Places {...props} label="Main" />
      </div>
    </div>
  )
}

function Places({ visit, openPaths, badges, label }: FrameProps & { label: string }) {
  const here = placeOf(visit.path)
  return (
    <nav aria-label={label}>
      {placeGroups.map(({ title, places }) => {
        const open = places.filter(({ path }) => openPaths.has(path))
        if (open.length === 0) return null
        return (
          <div class="place-group" key={title ?? ''}>
            {title && <p class="place-title">{title}</p>}
            <ul>
              {open.map((place) => (
                <li key={place.path}>
                  <PlaceLink {...{ visit, place, here }} badge={badges[place.path] ?? 0} />
                </li>
              ))}
            </ul>
          </div>
        )
      })}
    </nav>
  )
}

type PlaceProps = { visit: Visit; place: Place; here: Place | undefined; badge: number }

function PlaceLink({ visit, place, here, badge }: PlaceProps) {
  const { path, label, icon } = place
  return (
    <a
      class="place"
      href={visit.href(path)}
      {...(here?.path === path && { 'aria-current': 'page' as const })}
    >
      <Icon name={icon} />
      <span>{label}</span>
      {badge > 0 && (
        <span class="place-badge">
          {badge}
          <span class="visually-hidden"> waiting</span>
        </span>
      )}
    </a>
  )
}

function TopBar({ visit, openPaths, unread }: FrameProps) {
  return (
    <header class="top-bar">
      <BusinessSwitch visit={visit} />
      <EnvironmentSwitch visit={visit} />
      {openPaths.has('/search') && <SearchBox visit={visit} />}
      <NoticeBell visit={visit} unread={unread} />
      <AccountMenu visit={visit} />
    </header>
  )
}

function BusinessSwitch({ visit }: { visit: Visit }) {
  const { memberships, membership, actor } = visit
  if (memberships.length === 1) return <span class="business-name">{membership.businessName}</span>
  return (
    <details class="menu">
      <summary>
        <span class="business-name">{membership.businessName}</span> <Icon name="down" />
      </summary>
      <ul class="menu-list">
        {memberships.map(({ businessId, businessName }) => (
          <li key={businessId}>
            <a
              href={businessPath(businessId, 'live')}
              {...(businessId === actor.businessId && { 'aria-current': 'true' as const })}
            >
              {businessName}
            </a>
          </li>
        ))}
      </ul>
    </details>
  )
}

// Leads to the same place of the other environment; an object has no twin there.
function EnvironmentSwitch({ visit }: { visit: Visit }) {
  const { businessId, environment } = visit.actor
  const path = placeOf(visit.path)?.path ?? '/'
  const link = (to: Environment, label: string) => (
    <a
      href={`${businessPath(businessId, to)}${path === '/' ? '' : path}`}
      {...(to === environment && { 'aria-current': 'true' as const })}
    >
      {label}
    </a>
  )
  return (
    <nav class="environment-switch" aria-label="Environment">
      {link('live', 'Live')}
      {link('test', 'Sandbox')}
    </nav>
  )
}

function AccountMenu({ visit }: { visit: Visit }) {
  const { session, membership } = visit
  return (
    <details class="menu menu-end">
      <summary>
        <Icon name="person" />
        <span class="visually-hidden">Your account</span>
      </summary>
      <div class="menu-list">
        <p class="menu-text">
          <strong>{session.name}</strong>
          <br />
          {session.email}
          <br />
          <span class="quiet">{roleLabels[membership.role]}</span>
        </p>
        <a href={visit.href('/account')}>My account</a>
        <form method="post" action="/sign-out" data-turbo="false">
          <button class="btn w-100" type="submit">
            Sign out
          </button>
        </form>
      </div>
    </details>
  )
}

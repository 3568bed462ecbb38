// The frame of every page. CSS alone switches between light and dark, following the person's
// system, and the frame needs no JavaScript. The content security policy forbids inline styles: use
// a class.
import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { AssetName } from './assets.ts'
import { Wordmark } from './components.tsx'
import { type Site, type SiteLink, siteName } from './site.ts'

type DocumentProps = {
  site: Site
  title: string
  // The path of this page, to mark it in the navigation.
  path: string
  nonce: string
  // Without header and footer, for people who visit only this page.
  isBare?: boolean
  // A further script that this page needs.
  script?: AssetName | undefined
  // Of the content; English if left out.
  language?: string | undefined
  // A further style sheet, by its path.
  stylePath?: string | undefined
  children: ComponentChildren
}

export function renderDocument(props: DocumentProps): string {
  return `<!doctype html>${renderToString(<Document {...props} />)}`
}

function Document(props: DocumentProps) {
  const { site, title, path, nonce, isBare = false, script, stylePath, children } = props
  const { language = 'en' } = props
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title === siteName ? title : `${title} · ${siteName}`}</title>
        <link rel="icon" href={site.assets.url('favicon.svg')} type="image/svg+xml" />
        <link rel="stylesheet" href={site.assets.url('tabler.css')} />
        <link rel="stylesheet" href={site.assets.url('tillbook.css')} />
        {stylePath && <link rel="stylesheet" href={stylePath} />}
        <script type="module" src={site.assets.url('public.js')} nonce={nonce} />
        {script && <script type="module" src={site.assets.url(script)} nonce={nonce} />}
      </head>
      <body>
        <a class="skip-link" href="#main">
          Skip to content
        </a>
        {!isBare && <SiteHeader site={site} path={path} />}
        <main id="main" class="container-xl site-main" tabIndex={-1}>
          {children}
        </main>
        {!isBare && (
          <footer class="site-footer">
            <div class="container-xl">{site.footer}</div>
          </footer>
        )}
      </body>
    </html>
  )
}

function SiteHeader({ site, path }: Pick<DocumentProps, 'site' | 'path'>) {
  return (
    <header class="site-header">
      <div class="container-xl site-bar">
        <a class="wordmark" href="/">
          <Wordmark />
        </a>
        <nav class="site-nav" aria-label="Site">
          {site.nav.map((link) => (
            <NavLink key={link.href} link={link} path={path} />
          ))}
        </nav>
        <a class="btn btn-primary" href={site.action.href} {...current(site.action, path)}>
          {site.action.text}
        </a>
      </div>
    </header>
  )
}

function NavLink({ link, path }: { link: SiteLink; path: string }) {
  return (
    <a class="site-link" href={link.href} {...current(link, path)}>
      {link.text}
    </a>
  )
}

function current(link: SiteLink, path: string) {
  return path === link.href ? ({ 'aria-current': 'page' } as const) : {}
}

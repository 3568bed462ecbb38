// The public pages, and the frame that all pages share.
import type { Service } from '../../kernel/http/service.ts'
import type { ServiceContext } from '../../kernel/operations/service-context.ts'
import type { Assets } from '../../kernel/web/assets.ts'
import { type Page, redirectTo } from '../../kernel/web/page.ts'
import type { Site } from '../../kernel/web/site.ts'
import { setUpPath } from '../set-up/set-up-pages.tsx'
import { type LandingOptions, landingPage } from './landing-page.tsx'
import { referencePages } from './reference-pages.tsx'

// A server without a business leads to its set-up first.
export function publicPages(
  options: LandingOptions,
  needsSetUp: () => Promise<boolean> = async () => false,
): Page[] {
  const landing = landingPage(options)
  const first: Page = {
    ...landing,
    handle: async (request) =>
      (await needsSetUp()) ? redirectTo(setUpPath) : landing.handle(request),
  }
  return [first, ...referencePages(options.services, options.publicUrl), robots]
}

export function createSite(
  services: readonly Service<ServiceContext>[],
  publicUrl: string,
  assets: Assets,
): Site {
  return {
    publicUrl,
    assets,
    nav: services.map(({ name, title }) => ({ href: `/reference/${name}`, text: title })),
    action: { href: '/sign-in', text: 'Sign in' },
    signedInAction: { href: '/home', text: 'Home' },
    footer: 'Tillbook is free software under the Apache License 2.0.',
  }
}

// Search engines may index the front page and the references, but no pages of people or payers.
const robots: Page = {
  method: 'GET',
  path: '/robots.txt',
  handle: async () => ({
    status: 200,
    headers: { 'cache-control': 'public, max-age=86400' },
    body: 'User-agent: *\nAllow: /$\nAllow: /assets/\nAllow: /reference/\nDisallow: /\n',
  }),
}

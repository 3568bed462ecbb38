// A real browser for tests: Debian's Chromium, driven through playwright-core. It connects only to
// the application under test, and reports violations of a page's security policy.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'

const executablePath = '/usr/bin/chromium'

const quietArguments = [
  '--no-sandbox',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

// It only ends what hangs: a busy machine may be slow.
const patienceMs = 240_000

export const phone = { width: 390, height: 844 }
export const desktop = { width: 1280, height: 800 }
// The narrowest screen that is still common.
export const narrowPhone = { width: 360, height: 640 }

export type Visit = {
  page: Page
  // What the browser said on its console, errors of the page and broken policies included.
  complaints: string[]
  // The address of everything that the page asked for.
  requests: string[]
  // The bytes that came over the wire so far, headers included.
  transferredBytes(): number
  [Symbol.asyncDispose](): Promise<void>
}

export type Visitor = {
  // Opens an address in a fresh profile: no cookies, no cache.
  visit(url: string, options?: VisitOptions): Promise<Visit>
}

export type VisitOptions = BrowserContextOptions & {
  // A page that loads itself anew does not, so that a slow test can look at it.
  standsStill?: boolean
  // Waits until the network has been silent for half a second: for a test that looks at what the
  // browser has loaded. Otherwise a page is there when all that it names is.
  untilIdle?: boolean
}

// For a test file: one browser for all its tests.
export function useBrowser(): Visitor {
  let browser: Browser | undefined
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
  })
  return {
    async visit(url, options) {
      if (!browser) throw new Error('the browser starts before the first test')
      return openPage(browser, url, options)
    },
  }
}

export async function launchBrowser(): Promise<Browser> {
  if (!existsSync(executablePath)) {
    throw new Error(
      `The browser tests need Chromium at ${executablePath}. On Debian or Ubuntu, install it with: ` +
        'sudo apt-get install --no-install-recommends chromium',
    )
  }
  return chromium.launch({ executablePath, args: quietArguments, timeout: patienceMs })
}

async function openPage(
  browser: Browser,
  url: string,
  { standsStill = false, untilIdle = false, ...options }: VisitOptions = {},
): Promise<Visit> {
  // Without motion a scroll has arrived as soon as it has begun.
  const context = await browser.newContext({
    viewport: desktop,
    reducedMotion: 'reduce',
    ...options,
  })
  context.setDefaultTimeout(patienceMs)
  const page = await context.newPage()
  if (standsStill) {
    await page.route(url, async (route) => {
      const response = await route.fetch({ timeout: patienceMs })
      const { refresh: _, ...headers } = response.headers()
      await route.fulfill({ response, headers })
    })
  }
  const complaints: string[] = []
  const requests: string[] = []
  let bytes = 0
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => requests.push(request.url()))
  const network = await context.newCDPSession(page)
  await network.send('Network.enable')
  network.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await page.goto(url, { waitUntil: untilIdle ? 'networkidle' : 'load' })
  return {
    page,
    complaints,
    requests,
    transferredBytes: () => bytes,
    [Symbol.asyncDispose]: () => context.close(),
  }
}

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

type AxeResult = {
  violations: { id: string; help: string; nodes: { target: string[]; failureSummary?: string }[] }[]
}

// What is wrong with the look of a page, one line for each place: everything that axe-core finds on
// a phone, the contrast of dark colours, and sideways scrolling on a phone or a desktop.
// The page must have been opened with `bypassCSP`, because axe is a script that the page's own
// policy rightly refuses.
export async function lookProblems(page: Page): Promise<string[]> {
  // What was waited for may be there before the styles are.
  await page.waitForLoadState()
  await page.addScriptTag({ path: axePath })
  const usual = page.viewportSize() ?? desktop
  const problems: string[] = []
  for (const viewport of [desktop, phone]) {
    await page.setViewportSize(viewport)
    const pixels = await sidewaysScroll(page)
    if (pixels > 0)
      problems.push(`scrolls ${pixels} pixels sideways at a width of ${viewport.width}`)
  }
  problems.push(...(await axeProblems(page, {})))
  await page.emulateMedia({ colorScheme: 'dark' })
  problems.push(...(await axeProblems(page, { runOnly: ['color-contrast'] })))
  await page.emulateMedia({ colorScheme: null })
  await page.setViewportSize(usual)
  return problems
}

async function axeProblems(page: Page, options: object): Promise<string[]> {
  // Only of what is wrong axe gathers all places, which is what we read.
  const wanted = JSON.stringify({ resultTypes: ['violations'], ...options })
  const result = await page.evaluate<AxeResult>(`axe.run(${wanted})`)
  return result.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => {
      const why = failureSummary.replaceAll(/\s+/g, ' ')
      return `${id} at ${target.join(' ')}: ${help}. ${why}`
    }),
  )
}

// How many pixels a page is wider than its window: what a person would have to scroll sideways.
export async function sidewaysScroll(page: Page): Promise<number> {
  await page.waitForLoadState()
  return page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
}

// The script that a key press costs in the editor of a document with 200 lines, in Chromium. The
// browser counts the time itself, so layout and waiting are not in it.
import type { CDPSession, Page } from 'playwright-core'
import { launchBrowser } from '../test/support/browser.ts'
import { totp } from '../test/support/totp.ts'
import { measure, type Row } from './report.ts'
import { type RunningService, startService, withDirectory } from './servers.ts'

const lines = 200
const keysPerRound = 20
// One frame at 60 pictures a second.
const frameMs = 16

export const editorRow: Row = {
  name: 'editor-key',
  title: `script of a key press among ${lines} lines, against a frame of ${frameMs} ms`,
  goal: { atMost: 1 },
  unit: 'ms a key',
}

export async function measureEditor(): Promise<void> {
  await withDirectory(async (dataDir, defer) => {
    const service = await startService(dataDir)
    defer(service.stop)
    const browser = await launchBrowser()
    defer(() => browser.close())
    const page = await browser.newPage()
    await signIn(page, service)
    await page.goto(`${service.url}/b/${service.demo.business_id}/invoices/new`)
    await fillLines(page)
    const session = await page.context().newCDPSession(page)
    // Processor time, which a busy machine affects less.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    await page.locator(`#line-${lines - 1}-unitPrice`).focus()
    await measure(editorRow, async () => ({
      ours: await scriptMs(page, session),
      baseline: frameMs,
    }))
  })
}

async function signIn(page: Page, { url, demo }: RunningService): Promise<void> {
  const { email, password, totp_secret: secret } = demo.app.owner
  await page.goto(`${url}/sign-in`)
  await page.fill('#email', email)
  await page.fill('#password', password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.fill('#code', totp(secret, new Date()))
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL(/\/b\//)
}

// All lines but the last are complete, so that every one of them is priced at each key press. No
// contact is named: nothing can be saved meanwhile.
async function fillLines(page: Page): Promise<void> {
  await page.evaluate((last) => {
    const add = document.querySelector<HTMLElement>('[name=step][value=add]')
    while (!document.getElementById(`line-${last}-unitPrice`)) add?.click()
    for (let index = 0; index < last; index += 1) {
      const values = { description: 'Work', quantity: '3', unitPrice: '19.99', discountPct: '5' }
      for (const [name, value] of Object.entries(values)) {
        const field = document.getElementById(`line-${index}-${name}`)
        if (field && 'value' in field) field.value = value
      }
    }
  }, lines - 1)
}

async function scriptMs(page: Page, session: CDPSession): Promise<number> {
  const spent = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? Number.NaN
  }
  const before = await spent()
  for (let key = 0; key < keysPerRound; key += 1) {
    await page.keyboard.press(key % 2 === 0 ? '7' : 'Backspace')
    // The work is done with the next picture.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
  }
  return ((await spent()) - before) * (1000 / keysPerRound)
}

// @module-tag long
import { describe, expect, test } from 'vitest'
import { services } from '../../src/app/services.ts'
import { openApiDocument } from '../../src/kernel/http/openapi.ts'
import { lookProblems, narrowPhone, phone, sidewaysScroll, useBrowser } from '../support/browser.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
const browser = useBrowser()

// What one reference adds to the styles, which the browser already has.
const referenceBytesMax = 30_000

const publicUrl = 'https://tillbook.example'
const openAllFolds = "document.querySelectorAll('details').forEach((fold) => { fold.open = true })"

describe.each(services)('the reference of $name', (service) => {
  const path = `/reference/${service.name}`
  const document = openApiDocument(service, publicUrl)
  const operations = Object.entries(document.paths).flatMap(([operationPath, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: operationPath,
      operation,
    })),
  )

  test('has no problem with its look', async () => {
    await using visit = await browser.visit(world().baseUrl + path, { bypassCSP: true })
    await visit.page.evaluate(openAllFolds)
    expect(await lookProblems(visit.page)).toEqual([])
  })

  test('shows every operation with its method, path, scopes and fields', async () => {
    await using visit = await browser.visit(world().baseUrl + path)
    await visit.page.evaluate(openAllFolds)
    expect(operations.length).toBeGreaterThan(0)
    for (const { method, path: operationPath, operation } of operations) {
      const section = visit.page.locator(`section[aria-labelledby="${operation.operationId}"]`)
      const text = await section.innerText()
      expect(text).toContain(operation.summary)
      expect(text).toContain(`${method} ${operationPath}`)
      for (const scope of operation['x-scopes']) expect(text).toContain(scope)
      for (const { name } of operation.parameters) expect(text).toContain(name)
      const body = operation.requestBody?.content['application/json'].schema.properties ?? {}
      for (const name of Object.keys(body)) expect(text).toContain(name)
      for (const status of Object.keys(operation.responses)) expect(text).toContain(status)
    }
  })

  test('leads from the contents to every operation', async () => {
    await using visit = await browser.visit(world().baseUrl + path)
    const contents = visit.page.getByRole('navigation', { name: 'Contents' })
    for (const { operation } of operations) {
      await contents.getByRole('link', { name: operation.summary, exact: true }).click()
      const heading = visit.page.locator(`h3#${operation.operationId}`)
      // The page scrolls with the picture that comes next.
      const isInSight = async () => {
        const top = (await heading.boundingBox())?.y ?? -1
        return top >= 0 && top < 800
      }
      await expect.poll(isInSight, { message: operation.operationId }).toBe(true)
    }
  })

  test('lists every status with which a call can be refused', async () => {
    await using visit = await browser.visit(world().baseUrl + path)
    const table = await visit.page.getByRole('table').innerText()
    const statuses = operations.flatMap(({ operation }) => Object.keys(operation.responses))
    for (const status of statuses.filter((text) => text >= '400')) expect(table).toContain(status)
  })

  test('keeps to its own policy, loads nothing from elsewhere and stays light', async () => {
    await using visit = await browser.visit(world().baseUrl + path, { untilIdle: true })
    expect(visit.complaints).toEqual([])
    for (const url of visit.requests) expect(url.startsWith(world().baseUrl)).toBe(true)
    const before = visit.transferredBytes()
    await visit.page.reload({ waitUntil: 'networkidle' })
    const onReload = visit.transferredBytes() - before
    expect(onReload).toBeGreaterThan(0)
    expect(onReload).toBeLessThan(referenceBytesMax)
  })

  test('does not scroll sideways on a narrow phone, with everything unfolded', async () => {
    await using visit = await browser.visit(world().baseUrl + path, { viewport: narrowPhone })
    await visit.page.evaluate(openAllFolds)
    expect(await sidewaysScroll(visit.page)).toBe(0)
  })

  test('folds and unfolds without JavaScript, by keyboard', async () => {
    await using visit = await browser.visit(world().baseUrl + path, {
      viewport: phone,
      javaScriptEnabled: false,
    })
    const contents = visit.page.getByText('Contents', { exact: true })
    await contents.focus()
    await visit.page.keyboard.press('Enter')
    const link = visit.page.getByRole('link', { name: operations[0]?.operation.summary ?? '' })
    await link.first().click()
    await visit.page.waitForURL(`${world().baseUrl}${path}#${operations[0]?.operation.operationId}`)
  })
})

// Checks docs/alerts.yml against the real metrics. Prometheus silently accepts a rule about a
// metric that does not exist.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { systemClock } from '../../src/kernel/basics/clock.ts'
import { createBulkheads } from '../../src/kernel/webhooks/bulkheads.ts'
import { metricsText } from '../support/metrics.ts'
import { useWorld } from '../support/world.ts'
import { readProject } from '../tidy/project.ts'

const token = 'a-token-of-sixteen-or-more'
const world = useWorld({ settings: { metricsToken: token } })

type Alert = { name: string; expr: string; severity: string; summary: string; description: string }

// The few forms of YAML that the file uses: `key: value` and folded text.
function readAlerts(): Alert[] {
  const text = readFileSync('docs/alerts.yml', 'utf8')
  return text
    .split(/^ {6}- alert: /m)
    .slice(1)
    .map((part) => {
      const field = (key: string) => {
        const match = new RegExp(`^ +${key}: (?:>-\\n((?: {10,}.+\\n)+)|(.+)\\n)`, 'm').exec(part)
        return (match?.[1] ?? match?.[2] ?? '').replaceAll(/\s+/g, ' ').trim()
      }
      const [summary, description] = [field('summary'), field('description')]
      const [name = ''] = part.split('\n')
      return { name, expr: field('expr'), severity: field('severity'), summary, description }
    })
}

const alerts = readAlerts()

async function shownMetrics(): Promise<string> {
  await world().call('GET', '/merchant/api/v1/reference')
  return metricsText(world(), token)
}

// Names with the endings that a histogram adds.
async function knownMetrics(): Promise<Map<string, string>> {
  const text = await shownMetrics()
  const known = new Map<string, string>()
  for (const [, name = '', type] of text.matchAll(/^# TYPE (\S+) (\w+)$/gm)) {
    const endings = type === 'histogram' ? ['_bucket', '_count', '_sum'] : ['']
    for (const ending of endings) known.set(name + ending, name)
  }
  return known
}

const metricsIn = (expr: string) => expr.match(/\btillbook_\w+/g) ?? []

it('has alerts, each with a severity, and words for people', () => {
  expect(alerts.length).toBeGreaterThan(15)
  expect(new Set(alerts.map(({ name }) => name)).size).toBe(alerts.length)
  for (const { name, expr, severity, summary, description } of alerts) {
    expect(name).toMatch(/^Tillbook[A-Za-z]+$/)
    expect(metricsIn(expr), name).not.toEqual([])
    expect(['page', 'warn', 'info'], name).toContain(severity)
    expect(summary, name).toMatch(/^\S.{10,}$/)
    expect(description, name).toMatch(/^\S.{10,}[.?]$/)
  }
})

it('watches only what /metrics shows', async () => {
  const known = await knownMetrics()
  const unknown = alerts.flatMap(({ name, expr }) =>
    metricsIn(expr).flatMap((metric) => (known.has(metric) ? [] : `${name}: ${metric}`)),
  )
  expect(unknown).toEqual([])
})

it('watches everything that /metrics shows of webhooks', async () => {
  const watched = new Set(alerts.flatMap(({ expr }) => metricsIn(expr)))
  const ofWebhooks = [...(await knownMetrics()).keys()].filter((name) => name.includes('webhook'))
  expect(ofWebhooks.length).toBeGreaterThan(4)
  expect(ofWebhooks.filter((name) => !watched.has(name))).toEqual([])
})

it('asks for labels that the metrics have', () => {
  const source = readProject()
    .files.filter(({ path }) => path.startsWith('src/'))
    .map(({ text }) => text)
    .join('\n')
  const labelsOf = (metric: string) => {
    // Written by hand, for speed.
    if (metric.startsWith('tillbook_http_request_seconds')) return ['method', 'route', 'status']
    const definition = new RegExp(`name: '${metric}'[^}]*?labelNames: \\[([^\\]]*)\\]`).exec(source)
    return (definition?.[1]?.match(/\w+/g) ?? []) as string[]
  }
  for (const { name, expr } of alerts) {
    for (const [, metric = '', matchers = ''] of expr.matchAll(/(tillbook_\w+)\{([^}]*)\}/g)) {
      for (const [, label] of matchers.matchAll(/(\w+)(?:=|!=|=~|!~)"/g)) {
        expect(labelsOf(metric), `${name}: ${metric}`).toContain(label)
      }
    }
    const grouped = [...expr.matchAll(/by \((\w+)\) \(\w+\((tillbook_\w+)/g)]
    for (const [, label = '', metric = ''] of grouped) {
      expect(['le', ...labelsOf(metric)], `${name}: ${metric}`).toContain(label)
    }
  }
})

// Prometheus sees no rise in what appears: the first failure after a start would raise nothing.
it('watches for an increase only in series that exist from the start', async () => {
  const text = await shownMetrics()
  const rising = alerts.flatMap(({ name, expr }) =>
    [...expr.matchAll(/increase\((tillbook_\w+)(?:\{(\w+="\w+")\})?/g)].map(
      ([, metric = '', label = '']) => ({ name, metric, label }),
    ),
  )
  expect(rising.length).toBeGreaterThan(3)
  for (const { name, metric, label } of rising) {
    const isThere = text
      .split('\n')
      .some((line) => line.startsWith(metric) && line.includes(label) && / \d+$/.test(line))
    expect(isThere, `${name}: ${metric}`).toBe(true)
  }
})

it('watches a lane that exists, and says how many slots it has', async () => {
  const { expr, description } = alerts.find(({ name }) => name.endsWith('SlowLaneBusy')) ?? {}
  expect(await shownMetrics()).toContain(expr?.match(/tillbook_\w+\{lane="\w+"\}/)?.[0] ?? expr)
  const bulkheads = createBulkheads(systemClock)
  const hung = Array.from({ length: 1000 }, (_, n) => ({
    businessId: `b${n}`,
    endpointId: `e${n}`,
  }))
  for (const receiver of hung) bulkheads.start(receiver)(true)
  for (const receiver of bulkheads.allot(hung.map((one) => [one]))) bulkheads.start(receiver)
  const { slow } = bulkheads.running()
  expect(description).toContain(` ${slow} slots per process`)
  expect(Number(expr?.match(/> (\d+)$/)?.[1])).toBeLessThan(slow)
})

it('has each rule evaluated by Prometheus where someone runs its tests', () => {
  const scenarios = readFileSync('docs/alert-scenarios.yml', 'utf8')
  const missing = alerts.filter(({ name }) => !scenarios.includes(`alertname="${name}"`))
  expect(missing).toEqual([])
})

// docs/alerts.yml is of use only while what it watches is there. Prometheus itself takes a rule
// about a metric that nobody has, and never says a word.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
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

// Names with the endings that a histogram adds.
async function knownMetrics(): Promise<Map<string, string>> {
  await world().call('GET', '/merchant/api/v1/reference')
  const { text } = await world().call('GET', '/metrics', { key: token })
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

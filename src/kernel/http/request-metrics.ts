// How long requests take, by method, route and status, as a Prometheus histogram. It is counted
// here rather than by prom-client because it happens on every request: finding a bucket and adding
// to it costs a hundredth of what the general machinery does.
const bucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const name = 'tillbook_http_request_seconds'

type Series = { labels: string; counts: number[]; sumSeconds: number }

export type RequestMetrics = {
  observe(method: string, route: string, status: number, seconds: number): void
  // In the text format that Prometheus reads.
  text(): string
}

export function createRequestMetrics(): RequestMetrics {
  // By route, method and status one after the other: a text put together from the three would
  // have to be hashed anew for every request.
  const all = new Map<string, Map<string, Map<number, Series>>>()
  return {
    observe(method, route, status, seconds) {
      const series =
        all.get(route)?.get(method)?.get(status) ?? addSeries(all, method, route, status)
      let bucket = 0
      while (seconds > (bucketsSeconds[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1
      series.counts[bucket] = (series.counts[bucket] ?? 0) + 1
      series.sumSeconds += seconds
    },
    text() {
      const lines = [
        `# HELP ${name} Time from the request's arrival until its answer was sent.`,
        `# TYPE ${name} histogram`,
      ]
      for (const byMethod of all.values()) {
        for (const byStatus of byMethod.values()) {
          for (const series of byStatus.values()) lines.push(...seriesLines(series))
        }
      }
      return `${lines.join('\n')}\n`
    },
  }
}

function addSeries(
  all: Map<string, Map<string, Map<number, Series>>>,
  method: string,
  route: string,
  status: number,
): Series {
  const labels = `method="${method}",route="${escapeLabel(route)}",status="${status}"`
  const counts = new Array<number>(bucketsSeconds.length + 1).fill(0)
  const series: Series = { labels, counts, sumSeconds: 0 }
  const byMethod = all.get(route) ?? new Map<string, Map<number, Series>>()
  const byStatus = byMethod.get(method) ?? new Map<number, Series>()
  all.set(route, byMethod)
  byMethod.set(method, byStatus)
  byStatus.set(status, series)
  return series
}

function seriesLines({ labels, counts, sumSeconds }: Series): string[] {
  let total = 0
  const lines = counts.map((count, index) => {
    total += count
    return `${name}_bucket{${labels},le="${bucketsSeconds[index] ?? '+Inf'}"} ${total}`
  })
  return [...lines, `${name}_sum{${labels}} ${sumSeconds}`, `${name}_count{${labels}} ${total}`]
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

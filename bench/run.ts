// `npm run bench`: starts the service and a floor on the same database in the same run, loads them
// in turn with wrk, and prints ratios. Machines are noisy, so a row is the median of several rounds
// in which both sides take turns; absolute figures are shown only to be understood.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFloor, startService } from './servers.ts'

type Row = {
  name: string
  path: string
  goal: number
  headers?: Record<string, string>
}

type Sample = { perSecond: number; p99Ms: number }

const rounds = 7
const secondsPerRound = 3
const connections = 16

const dataDir = mkdtempSync(join(tmpdir(), 'tillbook-bench-'))
const service = await startService(dataDir)
try {
  const floor = await startFloor(service)
  try {
    const authorization = `Bearer ${service.demo.merchant.live_key}`
    await measure([
      {
        name: 'GET /reference against the same bytes',
        path: '/merchant/api/v1/reference',
        goal: 0.85,
      },
      {
        name: 'GET /account against the same SQL',
        path: '/merchant/api/v1/account',
        goal: 0.75,
        headers: { authorization },
      },
    ])
  } finally {
    await floor.stop()
  }

  async function measure(rows: Row[]): Promise<void> {
    console.log(
      `${rounds} rounds of ${secondsPerRound} s a side, ${connections} connections; medians\n`,
    )
    console.log(
      'row                                        service/s   floor/s  p99 ms  ratio  goal',
    )
    for (const row of rows) {
      await assertSameAnswer(row, service.url, floor.url)
      const ratios: number[] = []
      const ours: Sample[] = []
      const floors: Sample[] = []
      for (let round = 0; round < rounds; round += 1) {
        const our = load(service.url, row)
        const bare = load(floor.url, row)
        ours.push(our)
        floors.push(bare)
        ratios.push(our.perSecond / bare.perSecond)
      }
      console.log(line(row, ours, floors, ratios))
    }
  }
} finally {
  await service.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

function line(row: Row, ours: Sample[], floors: Sample[], ratios: number[]): string {
  const perSecond = (samples: Sample[]) =>
    median(samples.map((sample) => sample.perSecond)).toFixed(0)
  const ratio = median(ratios)
  return [
    row.name.padEnd(42),
    perSecond(ours).padStart(9),
    perSecond(floors).padStart(9),
    median(ours.map(({ p99Ms }) => p99Ms))
      .toFixed(2)
      .padStart(7),
    ratio.toFixed(2).padStart(6),
    `${row.goal.toFixed(2)}${ratio >= row.goal ? '' : '  MISSED'}`.padStart(5),
  ].join(' ')
}

// A floor that answered something else would be no floor.
async function assertSameAnswer(row: Row, ...urls: string[]): Promise<void> {
  const answers = await Promise.all(
    urls.map(async (url) => {
      const response = await fetch(url + row.path, { headers: row.headers ?? {} })
      if (response.status !== 200) throw new Error(`${url}${row.path} answers ${response.status}`)
      return response.text()
    }),
  )
  if (new Set(answers).size !== 1) throw new Error(`${row.path}: the floor answers other bytes`)
}

function load(url: string, row: Row): Sample {
  const headers = Object.entries(row.headers ?? {}).flatMap(([name, value]) => [
    '-H',
    `${name}: ${value}`,
  ])
  const output = execFileSync(
    'wrk',
    ['-t1', `-c${connections}`, `-d${secondsPerRound}s`, '--latency', ...headers, url + row.path],
    { encoding: 'utf8' },
  )
  if (/Non-2xx|Socket errors/.test(output)) throw new Error(`failed requests:\n${output}`)
  return {
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]),
    p99Ms: milliseconds(/99%\s+([\d.]+)(us|ms|s)/.exec(output)),
  }
}

function milliseconds(match: RegExpExecArray | null): number {
  const factors: Record<string, number> = { us: 0.001, ms: 1, s: 1000 }
  return Number(match?.[1]) * (factors[match?.[2] ?? ''] ?? Number.NaN)
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

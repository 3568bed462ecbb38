// A row: both sides take turns for several rounds, and the median ratio of the rounds is compared
// with the goal. Machines are noisy, so the spread is shown too. Absolute figures are for
// information only.
export type Goal = { readonly atLeast: number } | { readonly atMost: number }

export type Row = {
  readonly name: string
  readonly title: string
  readonly goal: Goal
  // The unit of `ours` and `baseline`.
  readonly unit: string
}

export type Round = {
  readonly ours: number
  readonly baseline: number
  // The same ratio in processor time, which a busy machine affects less. Left out if a side is not
  // a single process.
  readonly cpuRatio?: number
}

// With fewer rounds, a run only shows that a row works.
export const rounds = Number(process.env.BENCH_ROUNDS ?? 15)

export async function measure(row: Row, round: () => Promise<Round>): Promise<void> {
  const done: Round[] = []
  // The first round does not count: code is compiled and connections are opened.
  await round()
  for (let count = 0; count < rounds; count += 1) done.push(await round())
  const ratios = done.map(({ ours, baseline }) => ours / baseline)
  const cpuRatios = done.flatMap(({ cpuRatio }) => (cpuRatio === undefined ? [] : [cpuRatio]))
  const ratio = median(ratios)
  console.log(
    [
      `${row.name}: ${row.title}`,
      `  ${figure(done.map(({ ours }) => ours))} against ${figure(done.map(({ baseline }) => baseline))} ${row.unit}`,
      `  ratio ${ratio.toFixed(2)} (${spread(ratios)})${cpuRatios.length ? `, by processor time ${median(cpuRatios).toFixed(2)} (${spread(cpuRatios)})` : ''}`,
      `  goal ${goalText(row.goal)}: ${isReached(row.goal, ratio) ? 'REACHED' : 'MISSED'}\n`,
    ].join('\n'),
  )
}

function isReached(goal: Goal, ratio: number): boolean {
  return 'atLeast' in goal ? ratio >= goal.atLeast : ratio <= goal.atMost
}

function goalText(goal: Goal): string {
  return 'atLeast' in goal
    ? `at least ${goal.atLeast.toFixed(2)}`
    : `at most ${goal.atMost.toFixed(2)}`
}

function figure(values: number[]): string {
  const value = median(values)
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3)
}

function spread(values: number[]): string {
  return `${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)}`
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

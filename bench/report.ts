// A row: both sides take turns for several rounds, and the median of the rounds' ratios is held
// against the goal. Machines are noisy, so the spread is shown beside it; absolute figures are
// shown only to be understood.
export type Goal = { readonly atLeast: number } | { readonly atMost: number }

export type Row = {
  readonly name: string
  readonly title: string
  readonly goal: Goal
  // What `ours` and `floor` count.
  readonly unit: string
}

export type Round = {
  readonly ours: number
  readonly floor: number
  // The same ratio by the time that both processes spent on the processor, which a busy neighbour
  // on the same machine changes less. Left out where the sides are not one process each.
  readonly cpuRatio?: number
}

// Fewer only show that a row works.
export const rounds = Number(process.env.BENCH_ROUNDS ?? 15)

export async function measure(row: Row, round: () => Promise<Round>): Promise<void> {
  const done: Round[] = []
  // The first does not count: code is compiled and connections are opened.
  await round()
  for (let count = 0; count < rounds; count += 1) done.push(await round())
  const ratios = done.map(({ ours, floor }) => ours / floor)
  const cpuRatios = done.flatMap(({ cpuRatio }) => (cpuRatio === undefined ? [] : [cpuRatio]))
  const ratio = median(ratios)
  console.log(
    [
      `${row.name}: ${row.title}`,
      `  ${figure(done.map(({ ours }) => ours))} against ${figure(done.map(({ floor }) => floor))} ${row.unit}`,
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

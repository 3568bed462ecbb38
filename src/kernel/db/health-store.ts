import type { Sql } from './database.ts'

export async function isDatabaseReachable(sql: Sql, timeoutMs: number): Promise<boolean> {
  const query = sql`select 1`.execute()
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs)
  })
  // Which error it was doesn't matter to the question asked: it is the answer "no".
  const answer = query.then(
    () => true,
    () => false,
  )
  try {
    return await Promise.race([answer, timeout])
  } finally {
    clearTimeout(timer)
  }
}

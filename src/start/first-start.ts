// What the first start on a fresh database does besides starting. Answers the lines to show to the
// person at the terminal. It may run again when the process is killed before it has finished.
import type { Settings } from '../config.ts'
import { listBusinesses } from '../kernel/auth/business-store.ts'
import { createPeople } from '../kernel/auth/people.ts'
import type { ServiceContext } from '../kernel/operations/service-context.ts'
import { createDemo, describeDemo } from './demo.ts'

export async function firstStart(context: ServiceContext, settings: Settings): Promise<string[]> {
  if (!settings.demo) return []
  if ((await listBusinesses(context.database.sql)).length > 0) return []
  const people = await createPeople(context, context)
  const demo = await createDemo(context, people)
  return [
    'A demo business was made for you. Its keys and passwords are shown this once;',
    '`npm run demo` makes another one.',
    '',
    ...describeDemo(demo),
  ]
}

// Above the lists: the bulk acts of this person that still work or have just ended.
import { createBatch } from '../../books/batches/create-batch.ts'
import { listBatches } from '../../books/batches/list-batches.ts'
import { Alert } from '../../kernel/web/components.tsx'
import type { Visit } from '../shell/visit.ts'
import { resultText } from './batch-pages.tsx'
import { bulkLooks } from './bulk-acts.ts'

const shownMax = 5
// Long enough to notice it when one comes back to the list.
const newsMs = 15 * 60 * 1000

export async function latestBatches(visit: Visit) {
  if (!visit.may(createBatch)) return null
  const since = visit.context.clock.now().getTime() - newsMs
  const batches = await visit.run(listBatches, { limit: shownMax })
  const news = batches.filter(
    ({ personId, finishedAt }) =>
      personId === visit.actor.personId && (finishedAt === null || finishedAt.getTime() > since),
  )
  if (news.length === 0) return null
  return (
    <ul class="news" aria-label="Your bulk acts">
      {news.map((batch) => (
        <li key={batch.id}>
          <Alert tone={batch.refusedCount > 0 ? 'unsure' : 'plain'}>
            {bulkLooks[batch.act].titleOf(batch.documentCount)} – {resultText(batch)}.{' '}
            <a href={visit.href(`/batches/${batch.id}`)}>Show</a>
          </Alert>
        </li>
      ))}
    </ul>
  )
}

// What a program would get: the JSON of the interface, and the curl line that reads it.
import { rawBigints } from '../../kernel/money/exact-number.ts'
import { CodeBlock } from '../../kernel/web/components.tsx'
import type { Visit } from '../shell/visit.ts'

type Props = {
  visit: Visit
  // Below the address of the server.
  path: string
  record: object
}

export function ForDevelopers({ visit, path, record }: Props) {
  const json = JSON.stringify(rawBigints(record), null, 2)
  const url = `${visit.context.publicUrl}${path}`
  return (
    <details class="card developers">
      <summary class="card-body">For developers</summary>
      <div class="card-body pt-0">
        <CodeBlock
          id="curl"
          label="Read it through the API"
          text={`curl '${url}' \\\n  -H 'Authorization: Bearer your_key'`}
        />
        <CodeBlock id="json" label="Answer" text={json} />
        <a href={visit.href('/developers/requests', { path })}>Requests about it</a>
      </div>
    </details>
  )
}

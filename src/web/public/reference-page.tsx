// The API reference of one service, rendered from its OpenAPI document only, so new routes appear
// automatically. It works without JavaScript; long parts are folded with <details>.
import type { OpenApiDocument } from '../../kernel/http/openapi.ts'
import { Prose } from '../../kernel/web/components.tsx'
import { FieldList } from './field-list.tsx'
import { createResolve, fieldsOf, schemasIn } from './json-schema.ts'
import { failuresIn, type Operation, OperationSection } from './operation-section.tsx'
import { Events, RateLimits } from './reference-sections.tsx'

export type ReferenceProps = {
  document: OpenApiDocument
  // The path of the document itself.
  documentPath: string
  // Used as the key in examples.
  placeholderKey: string
}

export function ReferencePage({ document, documentPath, placeholderKey }: ReferenceProps) {
  const groups = groupByTag(document)
  const hasEvents = document['x-webhooks'] !== undefined
  return (
    <div class="reference">
      <aside class="contents">
        <details class="contents-folded">
          <summary>Contents</summary>
          <Contents groups={groups} label="Contents" hasEvents={hasEvents} />
        </details>
        <div class="contents-open">
          <Contents groups={groups} label="Contents" hasEvents={hasEvents} />
        </div>
      </aside>
      <div class="reference-body">
        <Introduction document={document} documentPath={documentPath} />
        {groups.map(({ name, description, operations }) => (
          <section key={name} aria-labelledby={tagId(name)}>
            <h2 id={tagId(name)}>{name}</h2>
            <p>
              <Prose text={description} />
            </p>
            {operations.map((entry) => (
              <OperationSection
                key={entry.operation.operationId}
                document={document}
                entry={entry}
                placeholderKey={placeholderKey}
              />
            ))}
          </section>
        ))}
      </div>
    </div>
  )
}

type Group = { name: string; description: string; operations: Operation[] }

function groupByTag(document: OpenApiDocument): Group[] {
  const all = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method, path, operation })),
  )
  return document.tags.map((tag) => ({
    ...tag,
    operations: all.filter(({ operation }) => operation.tags.includes(tag.name)),
  }))
}

const tagId = (name: string) => `tag-${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`

type ContentsProps = { groups: Group[]; label: string; hasEvents: boolean }

function Contents({ groups, label, hasEvents }: ContentsProps) {
  return (
    <nav aria-label={label}>
      <ul>
        <li>
          <a href="#keys">Keys</a>
        </li>
        <li>
          <a href="#errors">Errors</a>
        </li>
        <li>
          <a href="#rate-limits">Rate limits</a>
        </li>
        {hasEvents && (
          <li>
            <a href="#events">Events</a>
          </li>
        )}
        {groups.map(({ name, operations }) => (
          <li key={name}>
            <a href={`#${tagId(name)}`}>{name}</a>
            <ul>
              {operations.map(({ operation }) => (
                <li key={operation.operationId}>
                  <a href={`#${operation.operationId}`}>{operation.summary}</a>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </nav>
  )
}

type IntroductionProps = Pick<ReferenceProps, 'document' | 'documentPath'>

function Introduction({ document, documentPath }: IntroductionProps) {
  const { securitySchemes, schemas } = document.components
  const keyText = schemasIn(schemasIn(securitySchemes).apiKey).description
  const errorSchema = schemasIn(schemas).Error ?? {}
  const resolve = createResolve(document)
  return (
    <>
      <h1>{document.info.title} reference</h1>
      <p class="lead">
        <Prose text={document.info.description} />
      </p>
      <dl class="facts">
        <dt>Base URL</dt>
        <dd>
          <code>{document.servers[0]?.url}</code>
        </dd>
        <dt>Version</dt>
        <dd>{document.info.version}</dd>
        <dt>OpenAPI</dt>
        <dd>
          <a href={documentPath}>OpenAPI 3.0 document</a>
        </dd>
      </dl>
      <section aria-labelledby="keys">
        <h2 id="keys">Keys</h2>
        <p>
          Send a key with every call as <code>Authorization: Bearer …</code>, unless the call needs
          none. <Prose text={typeof keyText === 'string' ? keyText : ''} /> Each call names the
          scope that its key needs.
        </p>
      </section>
      <section aria-labelledby="errors">
        <h2 id="errors">Errors</h2>
        <p>
          All errors have the same format. Quote the <code>request_id</code> when you ask for help:
          it identifies the call in the log of this server.
        </p>
        <FieldList fields={fieldsOf(resolve, errorSchema)} of="answer" />
        <ErrorTable document={document} />
      </section>
      <RateLimits document={document} />
      <Events document={document} />
    </>
  )
}

function ErrorTable({ document }: { document: OpenApiDocument }) {
  return (
    <table class="statuses">
      <caption>Status codes</caption>
      <thead>
        <tr>
          <th scope="col">Status</th>
          <th scope="col">Meaning</th>
        </tr>
      </thead>
      <tbody>
        {failuresOf(document).map(({ status, meanings }) => (
          <tr key={status}>
            <th scope="row">{status}</th>
            <td>
              {meanings.map((meaning) => (
                <div key={meaning}>
                  <Prose text={meaning} />
                </div>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

// A status can have several meanings, and each operation lists only its own.
function failuresOf(document: OpenApiDocument) {
  const meanings = new Map<string, Set<string>>()
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
  for (const [status, { description }] of operations.flatMap(failuresIn)) {
    const known = meanings.get(status) ?? new Set()
    for (const meaning of description.split(' Or: ')) known.add(meaning)
    meanings.set(status, known)
  }
  return [...meanings]
    .sort(([first], [second]) => first.localeCompare(second))
    .map(([status, texts]) => ({ status, meanings: [...texts] }))
}

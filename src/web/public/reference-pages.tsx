// `/reference/<service>` for people and `/reference/<service>.json` for programs. Both are public.
import { renderToString } from 'preact-render-to-string'
import { openApiDocument } from '../../kernel/http/openapi.ts'
import type { Service } from '../../kernel/http/service.ts'
import { type Page, redirectTo } from '../../kernel/web/page.ts'
import { ReferencePage } from './reference-page.tsx'

export function referencePages<Context>(
  services: readonly Service<Context>[],
  publicUrl: string,
): Page[] {
  const [first] = services
  return [
    ...services.flatMap((service) => pagesOf(service, publicUrl)),
    {
      method: 'GET',
      path: '/reference',
      handle: async () => redirectTo(`/reference/${first?.name ?? ''}`),
    },
  ]
}

function pagesOf<Context>(service: Service<Context>, publicUrl: string): Page[] {
  const path = `/reference/${service.name}`
  const documentPath = `${path}.json`
  // Both are created once, on the first request: they don't change while the process runs, and
  // rendering a long reference for every request would be expensive.
  const document = once(() => openApiDocument(service, publicUrl))
  const html = once(() =>
    renderToString(
      <ReferencePage
        document={document()}
        documentPath={documentPath}
        placeholderKey={`${service.keyPrefix}_live_your_key`}
      />,
    ),
  )
  return [
    {
      method: 'GET',
      path,
      handle: async () => ({
        status: 200,
        title: `${service.title} reference`,
        // Rendered above, so it is already escaped.
        body: <div dangerouslySetInnerHTML={{ __html: html() }} />,
      }),
    },
    {
      method: 'GET',
      path: documentPath,
      handle: async () => ({
        status: 200,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          // Tools in a browser may read it from any origin.
          'access-control-allow-origin': '*',
        },
        body: JSON.stringify(document(), null, 2),
      }),
    },
  ]
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

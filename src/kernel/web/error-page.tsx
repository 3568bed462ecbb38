// What a person sees instead of the error body of the interface. It says what happened, what to
// do, and the request id under which whoever runs the server finds the rest in the log.
import type { ErrorAnswer, ErrorPage } from '../http/errors.ts'
import { pageHeaders } from '../http/security-headers.ts'
import { renderDocument } from './document.tsx'
import { createNonce } from './mount-pages.ts'
import { frameFor, type Site } from './site.ts'

// Programs call what lies under an API's path, and get JSON there whatever they accept. What lies
// under a bare path is for people who have nothing to do with the rest of the site.
export function createErrorPage(
  site: Site,
  apiPaths: readonly string[],
  barePaths: readonly string[] = [],
): ErrorPage {
  return (answer, { url = '/', headers }) => {
    const [path = '/'] = url.split('?')
    if (isUnder(path, apiPaths)) return undefined
    if (!headers.accept?.includes('text/html')) return undefined
    const nonce = createNonce()
    const { title, advice } = wording(answer)
    const isBare = isUnder(path, barePaths)
    const body = renderDocument({
      site: frameFor(site, headers),
      title,
      path,
      nonce,
      isBare,
      children: <ErrorMessage {...{ title, advice, isBare }} requestId={answer.body.request_id} />,
    })
    return {
      headers: {
        ...pageHeaders(site.publicUrl, nonce),
        'content-type': 'text/html; charset=utf-8',
      },
      body,
    }
  }
}

function isUnder(path: string, bases: readonly string[]): boolean {
  return bases.some((base) => path === base || path.startsWith(`${base}/`))
}

type MessageProps = { title: string; advice: string; isBare: boolean; requestId: string }

function ErrorMessage({ title, advice, isBare, requestId }: MessageProps) {
  return (
    <div class="narrow">
      <h1>{title}</h1>
      <p class="lead">{advice}</p>
      {!isBare && (
        <p>
          <a href="/">Go to the front page</a>
        </p>
      )}
      <p class="quiet">
        Request id: <code>{requestId}</code>
      </p>
    </div>
  )
}

type Wording = { title: string; advice: string }

function wording({ status, body: { error } }: ErrorAnswer): Wording {
  switch (status) {
    case 404:
      return {
        title: 'There is no such page',
        advice: 'The address may be misspelt, or the page may have moved.',
      }
    case 429:
      return { title: 'Too many requests', advice: 'Wait a minute, then try again.' }
    case 500:
      return {
        title: 'Something went wrong on our side',
        advice:
          'It has been written to the log. Try once more; if it happens again, tell whoever runs ' +
          'this server, and give them the request id below.',
      }
    case 503:
      return {
        title: 'Not available right now',
        advice:
          'A part of the service cannot be reached at the moment. Wait a few seconds, then try again.',
      }
    default:
      return { title: 'This was refused', advice: messageOf(error) }
  }
}

function messageOf(error: ErrorAnswer['body']['error']): string {
  if (typeof error === 'string') return error
  return [...error.formErrors, ...Object.values(error.fieldErrors).flat()].join(' ')
}

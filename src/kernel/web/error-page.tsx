// The error page that people see instead of the JSON error body. It says what happened, what to do,
// and the request id with which the operator finds the details in the log.
import type { ErrorAnswer, ErrorPage } from '../http/errors.ts'
import { pageHeaders } from '../http/security-headers.ts'
import { renderDocument } from './document.tsx'
import { createNonce } from './mount-pages.ts'
import { frameFor, type Site } from './site.ts'

// Paths below an API always return JSON. Bare paths are for people who don't use the rest of the
// site, such as payers.
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
        title: 'Page not found',
        advice: 'Check the address for typing errors. The page may also have moved.',
      }
    case 429:
      return { title: 'Too many requests', advice: 'Wait a minute, then try again.' }
    case 500:
      return {
        title: 'Something went wrong',
        advice:
          'The error was logged. Try again. If it happens again, contact the operator of this ' +
          'server and quote the request id below.',
      }
    case 503:
      return {
        title: 'Temporarily unavailable',
        advice: 'Part of the service can’t be reached. Wait a few seconds, then try again.',
      }
    default:
      return { title: 'Request refused', advice: messageOf(error) }
  }
}

function messageOf(error: ErrorAnswer['body']['error']): string {
  if (typeof error === 'string') return error
  return [...error.formErrors, ...Object.values(error.fieldErrors).flat()].join(' ')
}

// The buttons of a document: what this person can do with it now. What is not possible now is in
// the menu, with the reason.
import { type DocumentAct, documentActs } from '../../books/documents/document-acts.ts'
import type { DocumentStory } from '../../books/documents/get-document-story.ts'
import { Icon } from '../components/icon.tsx'
import { tokenField } from '../shell/token-field.ts'
import type { Visit } from '../shell/visit.ts'
import { actLabel, actLooks, isAtOnce, isStep } from './act-looks.ts'
import { placeOfKind } from './document-place.ts'

// The two or three steps that come next have their own button.
const shownMax = 3

export function DocumentActions({ visit, story }: { visit: Visit; story: DocumentStory }) {
  const { document, problems } = story
  const offered = documentActs.filter(
    (act) => problems[act] !== undefined && visit.may(actLooks[act].operationOf(document)),
  )
  const possible = offered.filter((act) => problems[act] === null)
  const next = possible.filter((act) => isStep(act, document)).slice(0, shownMax)
  const main = next.find((act) => act !== 'edit') ?? next[0]
  const others = offered.filter((act) => !next.includes(act))
  if (offered.length === 0) return null
  const render = (act: DocumentAct, looks: string) => (
    <ActButton key={act} visit={visit} story={story} act={act} looks={looks} />
  )
  return (
    <>
      {next.map((act) => render(act, act === main ? 'btn btn-primary' : 'btn'))}
      {others.length > 0 && (
        <details class="menu menu-end menu-acts">
          <summary class="btn">
            More <Icon name="down" />
          </summary>
          <ul class="menu-list">
            {others.map((act) => (
              <li key={act}>
                {problems[act] === null ? (
                  render(act, 'menu-act')
                ) : (
                  <span class="menu-off" aria-disabled="true">
                    {actLabel(act, document)}
                    <span class="quiet d-block">{problems[act]}</span>
                  </span>
                )}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

type ButtonProps = { visit: Visit; story: DocumentStory; act: DocumentAct; looks: string }

function ActButton({ visit, story: { document }, act, looks }: ButtonProps) {
  const { slug } = actLooks[act]
  const label = actLabel(act, document)
  const href = visit.href(`${placeOfKind(document.kind)}/${document.id}/${slug}`)
  if (!isAtOnce(act)) {
    return (
      <a class={looks} href={href}>
        {label}
      </a>
    )
  }
  return (
    <form method="post" action={href} class="inline-form">
      <input type="hidden" name={tokenField} value={visit.context.ids.uuid()} />
      <button class={looks} type="submit">
        {label}
      </button>
    </form>
  )
}

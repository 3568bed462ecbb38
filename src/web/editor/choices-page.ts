// What the pickers of the editor offer while a person types, as JSON for the island.
import { documentSides } from '../../books/documents/document-status.ts'
import { findEditorChoices } from '../../books/documents/find-editor-choices.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import { definePage } from '../shell/define-page.ts'
import { json } from './autosave.ts'

const nouns = ['contacts', 'items'] as const

export const choicesPages = definePage({
  path: '/choices/:side/:noun',
  operation: findEditorChoices,
  async show(visit) {
    const side = documentSides.find((one) => one === visit.param('side'))
    const noun = nouns.find((one) => one === visit.param('noun'))
    if (!side || !noun) throw notFound('page')
    const text = (visit.query.get('q') ?? '').slice(0, 200)
    return json(200, await visit.run(findEditorChoices, { side, noun, text }))
  },
})

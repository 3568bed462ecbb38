// What runs in the thread that drawing.ts starts: draws what it is handed and hands it back.
import { parentPort } from 'node:worker_threads'
import { assertDefined } from '../../../kernel/basics/assert.ts'
import { renderDocumentPdf } from './document-pdf.ts'
import type { DrawingAnswer, DrawingRequest } from './drawing.ts'

const port = assertDefined(parentPort, 'drawn outside of a thread')

port.on('message', async (request: DrawingRequest) => {
  port.postMessage(await answer(request))
})

// A document that cannot be drawn is no reason to lose the thread.
async function answer({ snapshot, isVoid }: DrawingRequest): Promise<DrawingAnswer> {
  try {
    return { content: await renderDocumentPdf(snapshot, isVoid) }
  } catch (error) {
    return { error }
  }
}
